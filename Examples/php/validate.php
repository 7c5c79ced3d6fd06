<?php
// Decides about one receipt. Needs the extension FFI.
//
//     php validate.php '{"bundle_ids": ["com.example.app"], "environments": ["production"]}' receipt.txt
declare(strict_types=1);

final class Validator
{
    private const NO_DATE = PHP_INT_MIN;
    private const JSON_WHOLE = 1;

    private FFI $library;
    private ?FFI\CData $pointer;

    public function __construct(string $policy)
    {
        $this->library = FFI::cdef(
            'typedef struct asr_validator asr_validator;
             asr_validator *asr_validator_create(const char *policy, size_t policy_length, char **error);
             void asr_validator_free(asr_validator *validator);
             int32_t asr_validate(const asr_validator *validator, const char *input, size_t input_length, int64_t at,
                 int32_t format, char **json, size_t *json_length);
             void asr_free(void *text);',
            'libappstorereceipt.so.0'
        );
        $error = $this->library->new('char *');
        $this->pointer = $this->library->asr_validator_create($policy, strlen($policy), FFI::addr($error));
        if ($this->pointer === null) {
            $message = FFI::string($error);
            $this->library->asr_free($error);
            throw new InvalidArgumentException($message);
        }
    }

    public function __destruct()
    {
        if (isset($this->pointer)) {
            $this->library->asr_validator_free($this->pointer);
        }
    }

    /** @return array{int, string} 0 for valid, 1 for rejected, 2 for what cannot be decoded; and the report in JSON */
    public function validate(string $receipt): array
    {
        $json = $this->library->new('char *');
        $length = $this->library->new('size_t');
        $status = $this->library->asr_validate(
            $this->pointer, $receipt, strlen($receipt), self::NO_DATE, self::JSON_WHOLE, FFI::addr($json), FFI::addr($length)
        );
        $text = FFI::isNull($json) ? '' : FFI::string($json, $length->cdata);
        $this->library->asr_free($json);
        return [$status, $text];
    }
}

if ($argc !== 3) {
    fwrite(STDERR, "usage: validate POLICY FILE\n");
    exit(64);
}
try {
    $validator = new Validator($argv[1]);
} catch (InvalidArgumentException $error) {
    fwrite(STDERR, "validate: {$error->getMessage()}\n");
    exit(64);
}
$receipt = file_get_contents($argv[2]);
if ($receipt === false) {
    exit(66);
}
[$status, $json] = $validator->validate($receipt);
echo $json, "\n";
exit($status);
