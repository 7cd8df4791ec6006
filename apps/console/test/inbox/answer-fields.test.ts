import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAnswerFields, readAnswer } from "../../src/pages/inbox/answer-fields.ts";

const fields = listAnswerFields({
	type: "object",
	required: ["approved", "size", "count"],
	properties: {
		approved: { type: "boolean", title: "Approve" },
		comment: { type: "string", maxLength: 2000 },
		size: { enum: ["S", 2, true] },
		count: { type: "integer", default: 3 },
		day: { type: "string", format: "date" },
		tags: { type: "array", items: { type: "string" } },
		never: false,
	},
});

describe("the fields of an answer", () => {
	test("each has a control that fits its schema", () => {
		assert.deepEqual(
			fields.map(({ key, kind, label }) => [key, kind, label]),
			[
				["approved", "boolean", "Approve"],
				["comment", "long_text", "comment"],
				["size", "choice", "size"],
				["count", "number", "count"],
				["day", "text", "day"],
				["tags", "json", "tags"],
			],
		);
	});

	test("an answer has the values of the schema's types, and none for empty fields", () => {
		const { answer, problems } = readAnswer(fields, { size: "2", comment: " ", tags: '["a"]' });
		assert.deepEqual(answer, { approved: false, size: 2, count: 3, tags: ["a"] });
		assert.equal(problems.size, 0);
	});

	test("what is missing or cannot be read is a problem of its field", () => {
		const { problems } = readAnswer(fields, { count: "many", tags: "a, b" });
		assert.deepEqual(
			[...problems],
			[
				["size", "required"],
				["count", "number"],
				["tags", "json"],
			],
		);
	});
});
