import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { buildDisposition } from "../src/domain/content-disposition.ts";
import { parseRange } from "../src/http/byte-range.ts";

/** Reads the header as RFC 6266 and RFC 8187 say; null if it is malformed. */
function readName(header: string): string | null {
	const [, plain, extended] =
		/^attachment; filename="([\x20\x21\x23-\x5b\x5d-\x7e]*)"(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]+))?$/.exec(
			header,
		) ?? [];
	return extended === undefined ? (plain ?? null) : decodeURIComponent(extended);
}

test("a name in a header is read back as it is, whatever characters it has", () => {
	const names = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 });
	fc.assert(
		fc.property(names, (name) => {
			const header = buildDisposition("attachment", name);
			assert.match(header, /^[\x20-\x7e]+$/);
			assert.equal(readName(header), name.toWellFormed());
		}),
	);
});

test("a range is within the file, or none", () => {
	const bounds = fc.oneof(fc.constant(""), fc.nat(30).map(String), fc.string({ maxLength: 3 }));
	fc.assert(
		fc.property(bounds, bounds, fc.nat(20), (first, last, size) => {
			const range = parseRange(`bytes=${first}-${last}`, size);
			if (range === null || range === "unsatisfiable") return;
			assert.ok(range.start >= 0 && range.start < range.end && range.end <= size);
		}),
	);
	for (const header of [null, "", "bytes", "bytes=", "bytes=-", "bytes=1-2,4-5", "items=1-2", "bytes=x-1"])
		assert.equal(parseRange(header, 10), null);
});
