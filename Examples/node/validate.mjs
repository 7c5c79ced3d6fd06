// Decides about receipts, in a process that stays: receipt-dump answers each line with a line.
//
//     node validate.mjs com.example.app production receipt.txt
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export class Validator {
    #process;
    #waiting = []; // answers come in the order of the questions

    constructor(...options) {
        this.#process = spawn("receipt-dump", ["--lines", "--quiet", ...options], { stdio: ["pipe", "pipe", "inherit"] });
        createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift().resolve(line));
        const fail = (error) => this.#waiting.splice(0).forEach((one) => one.reject(error));
        this.#process.on("error", fail);
        this.#process.on("close", (code) => fail(new Error(`receipt-dump ended with ${code}`)));
    }

    // The report as JSON text, for a receipt in base64 in any state of repair.
    validate(receipt) {
        return new Promise((resolve, reject) => {
            this.#waiting.push({ resolve, reject });
            this.#process.stdin.write(JSON.stringify({ "receipt-data": receipt }) + "\n");
        });
    }

    close() {
        this.#process.stdin.end();
    }
}

const [bundleID, environment, file] = process.argv.slice(2);
if (!file) {
    console.error("usage: validate BUNDLE-ID ENVIRONMENT FILE");
    process.exit(64);
}
const validator = new Validator("--bundle-id", bundleID, "--environment", environment);
const json = await validator.validate(readFileSync(file, "latin1"));
validator.close();
console.log(json);
process.exitCode = { valid: 0, rejected: 1 }[JSON.parse(json).verdict] ?? 2;
