package params

const Version = version
