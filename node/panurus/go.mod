module github.com/LFDT-Panurus/panurus

go 1.26
