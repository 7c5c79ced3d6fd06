// Decides about one receipt.
//
//	go run validate.go '{"bundle_ids": ["com.example.app"], "environments": ["production"]}' receipt.txt
package main

/*
#cgo pkg-config: appstorereceipt
#include <appstorereceipt.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// Validator may be shared between goroutines.
type Validator struct{ pointer *C.asr_validator }

// New makes a validator from a policy in JSON.
func New(policy string) (*Validator, error) {
	text := C.CString(policy)
	defer C.free(unsafe.Pointer(text))
	var message *C.char
	pointer := C.asr_validator_create(text, C.size_t(len(policy)), &message)
	if pointer == nil {
		defer C.asr_free(unsafe.Pointer(message))
		return nil, errors.New(C.GoString(message))
	}
	return &Validator{pointer}, nil
}

// Close frees what no goroutine uses any more.
func (v *Validator) Close() { C.asr_validator_free(v.pointer) }

// Validate answers with 0 for valid, 1 for rejected, 2 for what cannot be decoded, and the report in JSON.
func (v *Validator) Validate(receipt []byte) (int, []byte) {
	var input *C.uint8_t
	if len(receipt) > 0 {
		input = (*C.uint8_t)(&receipt[0])
	}
	var json *C.char
	var length C.size_t
	status := C.asr_validate(v.pointer, input, C.size_t(len(receipt)),
		C.ASR_NO_DATE, C.ASR_JSON_WHOLE, &json, &length)
	defer C.asr_free(unsafe.Pointer(json))
	return int(status), C.GoBytes(unsafe.Pointer(json), C.int(length))
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: validate POLICY FILE")
		os.Exit(64)
	}
	validator, err := New(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "validate:", err)
		os.Exit(64)
	}
	receipt, err := os.ReadFile(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "validate:", err)
		os.Exit(66)
	}
	status, json := validator.Validate(receipt)
	validator.Close()
	fmt.Println(string(json))
	os.Exit(status)
}
