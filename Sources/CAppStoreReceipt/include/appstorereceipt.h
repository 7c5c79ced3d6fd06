/*
 * appstorereceipt.h: validates what Apple signs for servers, offline.
 *
 * Every function may be called from any thread, and from a child after fork(): fork() waits until the calls of other
 * threads have returned. Nothing prints, exits, raises a signal or jumps. Texts are UTF-8.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef APPSTORERECEIPT_H
#define APPSTORERECEIPT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call found out: the exit statuses of receipt-dump. */
#define ASR_VALID 0        /* genuine, and as the policy expects it */
#define ASR_REJECTED 1     /* forged, or not what the policy expects */
#define ASR_UNDECODABLE 2  /* no receipt, or not a whole one */
#define ASR_MISUSE 64      /* a null pointer, a format that does not exist: the caller's mistake */
#define ASR_INTERNAL 70    /* libcrypto or memory failed, which says nothing about the receipt */

/* What asr_validate writes. The objects are those of receipt-dump; keys may be added. */
#define ASR_JSON_NONE 0    /* nothing: the quickest */
#define ASR_JSON_WHOLE 1   /* the object of --format json, in one line */
#define ASR_JSON_BRIEF 2   /* the object of --lines --brief without its id: verdict and identifiers */
#define ASR_JSON_PRETTY 3  /* the object of --format json as the tool prints it for one file, without the last line end */

/* How closely asr_verify_receipt follows Apple's endpoint. */
#define ASR_AS_DOCUMENTED 0 /* 21002 malformed, 21003 not authentic; every text form that can be repaired */
#define ASR_AS_OBSERVED 1   /* 21002 for a tampered receipt too, canonical base64 only */

/* No date is given. */
#define ASR_NO_DATE INT64_MIN

/* A policy, and what was learnt of certificates under it. Immutable: share one between all threads. */
typedef struct asr_validator asr_validator;

/* The library's version, such as "0.2.0". Never null; not to be freed. */
const char *asr_version(void);

/*
 * Makes a validator from a policy, a JSON object of which every member may be left out:
 *
 *   bundle_ids, app_versions        strings of which one must be the app's
 *   environments                    "production", "sandbox", "xcode", in any case; any other is met by no receipt
 *   device_ids                      UUIDs, MAC addresses or hexadecimal digits, of which one must fit the receipt's hash
 *   product_ids, transaction_ids    strings that must all be among the purchases, and count at the date given
 *   accepts_purchases_that_do_not_count
 *                                   true or false (the default): of those, cancelled and ended ones too
 *   app_apple_ids                   strings of digits: numbers in the App Store, of which an app transaction or
 *                                   notification of production must name one
 *   account_tokens                  UUIDs of which a StoreKit 2 transaction must name one (appAccountToken)
 *   attested_apps, attested_keys, attested_receipt_types
 *                                   of an App Attest receipt: "TEAMID.bundle.identifier", key identifiers in base64,
 *                                   "ATTEST" or "RECEIPT"
 *   max_age_seconds                 a whole number: how old a receipt may be at the date given
 *   accepts_sha1                    true (the default) or false
 *   accepts_unsigned_environment    true or false (the default): of iOS 6-style receipts
 *   roots                           certificates that replace the built-in roots, each in the role that it has
 *   direct_signers                  certificates that sign by themselves, as Xcode's do
 *   intermediates                   certificates for receipts that carry none
 *   at                              "receipt" (the default), or an RFC 3339 date: when the certificates must be valid,
 *                                   and the current date
 *
 * Certificates are strings: PEM of one or more, or base64 of DER. An empty array of expectations is met by no receipt. A
 * member that does not exist, that stands twice, or whose value is of another type is an error.
 *
 * Returns null on error, and then sets *error, unless error is null, to a sentence to be freed with asr_free. A policy
 * without bundle_ids and environments says yes to receipts of every app and of the sandbox, where nobody pays.
 */
asr_validator *asr_validator_create(const char *policy, size_t policy_length, char **error);

/* Frees a validator that no thread uses any more. Null is let pass. */
void asr_validator_free(asr_validator *validator);

/*
 * Decides about one input: the bytes of a receipt or its text, base64 in any state of repair, or JSON around one.
 *
 *   at           milliseconds since 1970: when the certificates must be valid, and the current date, in place of the
 *                policy's; ASR_NO_DATE leaves it to the policy. The library reads no clock.
 *   format       one of ASR_JSON_...
 *   json         set to the JSON, with a zero after it, to be freed with asr_free; to null with ASR_JSON_NONE, and with
 *                ASR_MISUSE and ASR_INTERNAL. May be null with ASR_JSON_NONE.
 *   json_length  set to its length without the zero. May be null.
 *
 * Returns ASR_VALID, ASR_REJECTED, ASR_UNDECODABLE, ASR_MISUSE or ASR_INTERNAL. What the JSON of a rejected input shows was
 * not verified. More than 64 MiB are undecodable, and no more than one byte beyond them is read.
 */
int32_t asr_validate(
    const asr_validator *validator, const uint8_t *input, size_t input_length, int64_t at, int32_t format, char **json,
    size_t *json_length);

/*
 * Answers as Apple's verifyReceipt endpoint would for the text of a request's receipt-data, from what the receipt itself
 * says: latest_receipt_info and pending_renewal_info are Apple's own records and are left out.
 *
 *   now          milliseconds since 1970: shown as request_date, and the date at which something may have expired
 *   behavior     one of ASR_AS_...
 *   json         set to the answer as for asr_validate; may not be null
 *
 * The policy's environments decide about 21007 and 21008. As with Apple, status 0 in the answer says that the receipt is
 * genuine, not that it is for your app: where it is not what the policy expects, the member `rejection` is the reason, which
 * Apple's answers do not have. Returns what asr_validate does, but ASR_MISUSE for more than 64 MiB.
 */
int32_t asr_verify_receipt(
    const asr_validator *validator, const uint8_t *receipt_data, size_t receipt_data_length, int64_t now,
    int32_t behavior, char **json, size_t *json_length);

/* Frees what this library handed out as text. Null is let pass. */
void asr_free(void *text);

#ifdef __cplusplus
}
#endif

#endif
