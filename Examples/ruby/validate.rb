# Decides about one receipt.
#
#     ruby validate.rb '{"bundle_ids": ["com.example.app"], "environments": ["production"]}' receipt.txt
require "fiddle/import"

module AppStoreReceipt
  extend Fiddle::Importer
  dlload "libappstorereceipt.so.0"
  extern "void *asr_validator_create(const char *, size_t, void *)"
  extern "void asr_validator_free(void *)"
  extern "int asr_validate(void *, const char *, size_t, long long, int, void *, void *)"
  extern "void asr_free(void *)"

  NO_DATE = -(2**63)
  JSON_WHOLE = 1

  # May be shared between threads.
  class Validator
    def initialize(policy)
      error = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
      @pointer = AppStoreReceipt.asr_validator_create(policy, policy.bytesize, error)
      raise ArgumentError, AppStoreReceipt.take(error.ptr) if @pointer.null?

      @pointer.free = AppStoreReceipt["asr_validator_free"]
    end

    # 0 for valid, 1 for rejected, 2 for what cannot be decoded; and the report in JSON.
    def validate(receipt)
      json = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
      status = AppStoreReceipt.asr_validate(@pointer, receipt, receipt.bytesize, NO_DATE, JSON_WHOLE, json, nil)
      [status, AppStoreReceipt.take(json.ptr)]
    end
  end

  # A text that the library hands out, whose memory is given back.
  def self.take(pointer)
    return "" if pointer.null?

    text = pointer.to_s.force_encoding(Encoding::UTF_8)
    asr_free(pointer)
    text
  end
end

abort_with = lambda do |status, message|
  warn message
  exit status
end
abort_with.call(64, "usage: validate POLICY FILE") unless ARGV.size == 2
begin
  validator = AppStoreReceipt::Validator.new(ARGV[0])
  status, json = validator.validate(File.binread(ARGV[1]))
rescue ArgumentError => e
  abort_with.call(64, "validate: #{e.message}")
rescue SystemCallError => e
  abort_with.call(66, "validate: #{e.message}")
end
puts json
exit status
