#include "openssl_oracle.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/objects.h>

// Each writes the value of one element as text and returns how many bytes were read, or 0. `*cursor` moves on.

static int take_integer(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_INTEGER *integer = d2i_ASN1_INTEGER(NULL, cursor, length);
    BIGNUM *number = integer != NULL ? ASN1_INTEGER_to_BN(integer, NULL) : NULL;
    char *decimal = number != NULL ? BN_bn2dec(number) : NULL;
    if (decimal != NULL) snprintf(text, size, "%s", decimal);
    int ok = decimal != NULL;
    OPENSSL_free(decimal);
    BN_free(number);
    ASN1_INTEGER_free(integer);
    return ok;
}

static int take_bit_string(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_BIT_STRING *string = d2i_ASN1_BIT_STRING(NULL, cursor, length);
    if (string == NULL) return 0;
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < ASN1_STRING_length(string) && used + 3 < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%02x", ASN1_STRING_get0_data(string)[i]);
    }
    snprintf(text + used, size - used, "/%ld", string->flags & 7);
    ASN1_BIT_STRING_free(string);
    return 1;
}

static int take_oid(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_OBJECT *object = d2i_ASN1_OBJECT(NULL, cursor, length);
    int ok = object != NULL && OBJ_obj2txt(text, (int)size, object, 1) > 0;
    ASN1_OBJECT_free(object);
    return ok;
}

static int take_time(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_TIME *point = d2i_ASN1_TIME(NULL, cursor, length);
    struct tm fields;
    int ok = point != NULL && ASN1_TIME_to_tm(point, &fields) == 1;
    if (ok) snprintf(text, size, "%lld", (long long)timegm(&fields));
    ASN1_TIME_free(point);
    return ok;
}

static int take_boolean(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_TYPE *value = d2i_ASN1_TYPE(NULL, cursor, length);
    int ok = value != NULL && ASN1_TYPE_get(value) == V_ASN1_BOOLEAN;
    if (ok) snprintf(text, size, "%s", value->value.boolean != 0 ? "true" : "false");
    ASN1_TYPE_free(value);
    return ok;
}

static int take_null(const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_NULL *value = d2i_ASN1_NULL(NULL, cursor, length);
    snprintf(text, size, "null");
    ASN1_NULL_free(value);
    return value != NULL;
}

// The octets of a string in hexadecimal; of a UTF8String only when UTF8_getc reads it to its end.
static int take_string(int tag, const uint8_t **cursor, long length, char *text, size_t size) {
    ASN1_STRING *string = tag == V_ASN1_IA5STRING ? d2i_ASN1_IA5STRING(NULL, cursor, length)
                                                  : d2i_ASN1_UTF8STRING(NULL, cursor, length);
    if (string == NULL) return 0;
    const uint8_t *octets = ASN1_STRING_get0_data(string);
    int left = ASN1_STRING_length(string), ok = 1;
    size_t used = 0;
    text[0] = 0;
    while (left > 0 && used + 9 < size) {
        unsigned long scalar = 0;
        int count = tag == V_ASN1_IA5STRING ? (octets[0] < 0x80 ? 1 : -1) : UTF8_getc(octets, left, &scalar);
        if (count <= 0) {
            ok = 0;
            break;
        }
        for (int i = 0; i < count; i++) used += (size_t)snprintf(text + used, size - used, "%02x", octets[i]);
        octets += count;
        left -= count;
    }
    ASN1_STRING_free(string);
    return ok;
}

long oracle_primitive(const uint8_t *der, size_t length, char *text, size_t size) {
    ERR_clear_error();
    if (length < 1 || length > LONG_MAX) return -1;
    const uint8_t *cursor = der;
    int ok = 0;
    switch (der[0]) {
    case V_ASN1_BOOLEAN: ok = take_boolean(&cursor, (long)length, text, size); break;
    case V_ASN1_INTEGER: ok = take_integer(&cursor, (long)length, text, size); break;
    case V_ASN1_BIT_STRING: ok = take_bit_string(&cursor, (long)length, text, size); break;
    case V_ASN1_NULL: ok = take_null(&cursor, (long)length, text, size); break;
    case V_ASN1_OBJECT: ok = take_oid(&cursor, (long)length, text, size); break;
    case V_ASN1_UTF8STRING:
    case V_ASN1_IA5STRING: ok = take_string(der[0], &cursor, (long)length, text, size); break;
    case V_ASN1_UTCTIME:
    case V_ASN1_GENERALIZEDTIME: ok = take_time(&cursor, (long)length, text, size); break;
    default: break;
    }
    ERR_clear_error();
    return ok ? (long)(cursor - der) : -1;
}
