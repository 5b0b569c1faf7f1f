package adapter

// Resources is resources.
var Resources = resources
