package export

var parquet []Format
