package suite // operations that external tests compare

// Names that only tests of this package use.
var (
	AuditorServiceCheck = auditorServiceCheck
	Batch               = batchSize
	Issuer              = issuer
	LedgerTransfer      = ledgerTransfer
	Operations          = operations
	Requests            = requests
	ValidatorTransfer   = validatorTransfer
)
