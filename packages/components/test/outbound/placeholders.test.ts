import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createPlaceholders } from "../../src/outbound/placeholders.ts";

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 128 });
const field = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);

describe("placeholders", () => {
	test("encode names and fields of any script, and are unchanged in JSON, URLs and forms", () => {
		const placeholders = createPlaceholders();
		fc.assert(
			fc.property(name, fc.option(field, { nil: undefined }), fc.string(), (name, field, around) => {
				const text = placeholders.text(name, field);
				assert.match(text, /^[a-z0-9]+$/);
				assert.equal(encodeURIComponent(text), text);
				assert.equal(new URL(`https://${text}.example.com/`).hostname, `${text}.example.com`);
				const expected = { name: name.toWellFormed(), field: field ?? "" };
				assert.deepEqual(placeholders.find(`${around} ${text}-${text}`), [expected, expected]);
				assert.equal(
					placeholders.replace(`${around}${text}${around}`, () => "$&"),
					`${around}$&${around}`,
				);
			}),
		);
	});

	test("are not recognised by another process", () => {
		const [own, other] = [createPlaceholders(), createPlaceholders()];
		fc.assert(
			fc.property(name, field, (name, field) => {
				const text = other.text(name, field);
				assert.equal(own.isIn(text), false);
				assert.deepEqual(own.find(text), []);
				assert.equal(
					own.replace(text, () => "value"),
					text,
				);
			}),
		);
	});

	test("are not found in any other text", () => {
		const placeholders = createPlaceholders();
		const mark = placeholders.text("a").slice(0, 42);
		fc.assert(
			fc.property(fc.array(fc.constantFrom(mark, "x", "61", "zz", "credential", "0")), (parts) => {
				const text = parts.join("");
				const filled = placeholders.replace(text, ({ name, field }) => placeholders.text(name, field));
				assert.equal(filled, text);
			}),
		);
	});
});
