import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import {
	buildCurl,
	buildQueryCurl,
	buildSignedCurl,
	describeSignedText,
	quote,
	SIGNINGS,
	type SignatureScheme,
} from "../../src/pages/workflow/call/curl.ts";

/** Runs a command with a `curl` that prints its arguments, one per line. */
const arguments_ = (command: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
	execFileSync("sh", ["-c", `curl() { for word in "$@"; do printf '%s\\036' "$word"; done; }\n${command}`], {
		encoding: "utf8",
		env: { PATH: process.env.PATH ?? "", ...env },
	})
		.split("\u001e")
		.slice(0, -1);

const URL_ = "https://example.com/webhooks/named/default/it's%20$HOME/trigger";

describe("curl command", () => {
	it("is quoted safely for the shell", () => {
		const body = JSON.stringify({ text: `it's "$HOME" \`id\` \\ !\n第二行` });
		const words = arguments_(buildCurl(URL_, body));
		assert.deepEqual([words[1], words.at(-1)], [URL_, body]);
	});

	it("never reads the body from a file", () =>
		assert.match(buildCurl(URL_, "@/etc/passwd"), /--data-raw '@/));

	it("includes the idempotency key", () =>
		assert.ok(arguments_(buildCurl(URL_, "{}", "order-7")).includes("Idempotency-Key: order-7")));

	it("quotes a text of quotes", () => assert.equal(quote("''"), `''\\'''\\'''`));

	it("puts the input of a query into the URL", () =>
		assert.equal(
			buildQueryCurl("https://x/q/a/b", { q: "a b&c", n: 1 }),
			"curl -sS 'https://x/q/a/b?q=a+b%26c&n=1'",
		));
});

describe("signed curl command", () => {
	const body = `{"it's":"第一"}`;
	for (const scheme of Object.keys(SIGNINGS) as SignatureScheme[])
		it(`follows ${scheme}`, { skip: !hasOpenssl() }, () => {
			const words = arguments_(buildSignedCurl(URL_, body, scheme), { SECRET: "a long random text" });
			const headers = words.filter((_, index) => words[index - 1] === "-H").join("\n");
			const time = /(\d{10})/.exec(headers)?.[1] ?? "";
			const id = /webhook-id: (.*)/.exec(headers)?.[1] ?? "";
			const text = describeSignedText(scheme)
				.replace("{time}", time)
				.replace("{id}", id)
				.replace("{body}", body);
			const { encoding } = SIGNINGS[scheme];
			const signature = createHmac("sha256", "a long random text").update(text).digest(encoding);
			assert.ok(headers.includes(signature), headers);
			assert.equal(words.at(-1), body);
		});
});

function hasOpenssl(): boolean {
	try {
		execFileSync("sh", ["-c", "command -v openssl"]);
		return true;
	} catch {
		return false;
	}
}
