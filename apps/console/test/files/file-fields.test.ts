import assert from "node:assert/strict";
import { test } from "node:test";
import { keepFiles, readField, writeField } from "../../src/files/file-fields.ts";

const file = (letter: string) => ({
	$file: letter.repeat(22),
	name: `${letter}.txt`,
	type: "text/plain",
	size: 3,
});
const field = (name: string, isList = false) => ({
	name,
	isList,
	title: null,
	isRequired: false,
	accept: null,
});

test("a chosen file replaces that of its field, and is added to a list", () => {
	const input = { name: "Ada", report: file("a") };
	assert.deepEqual(writeField(input, field("report"), [file("b")]), { name: "Ada", report: file("b") });
	assert.deepEqual(writeField(input, field("photos", true), [file("b"), file("c")]), {
		...input,
		photos: [file("b"), file("c")],
	});
});

test("a field without files is removed", () => {
	assert.deepEqual(writeField({ name: "Ada", report: file("a") }, field("report"), []), { name: "Ada" });
});

test("the files of a field are read, and nothing else", () => {
	assert.deepEqual(readField({ report: file("a") }, field("report")), [file("a")]);
	assert.deepEqual(readField({ photos: [file("a"), "text", {}] }, field("photos", true)), [file("a")]);
	assert.deepEqual(readField({}, field("constructor")), []);
});

test("an example keeps the chosen files and has no made-up ones", () => {
	const fields = [field("report"), field("photos", true)];
	const sample = { name: "Ada", report: {}, photos: [{}] };
	assert.deepEqual(keepFiles(sample, { report: file("a") }, fields), { name: "Ada", report: file("a") });
});
