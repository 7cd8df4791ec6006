import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { escapeXml, parseS3Xml, readChild } from "../src/s3-xml.ts";

describe("XML of S3", () => {
	test("elements, attributes and text are read", () => {
		const root = parseS3Xml(
			'<?xml version="1.0" encoding="UTF-8"?>\n  <List xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\n\t<Empty/><Upload ><Key>a/b</Key></Upload ><ETag>&quot;x&#38;y&#x2F;&quot;</ETag></List>\n',
		);
		assert.ok(root !== null);
		assert.equal(root.name, "List");
		assert.deepEqual(
			root.children.map(({ name }) => name),
			["Empty", "Upload", "ETag"],
		);
		assert.equal(readChild(root, "ETag"), '"x&y/"');
		assert.equal(readChild(root, "Empty"), "");
		assert.equal(readChild(root, "Upload"), null, "it has children");
		assert.equal(readChild(root, "None"), null);
	});

	test("a child that occurs twice is not read", () => {
		const root = parseS3Xml("<A><Id>1</Id><Id>2</Id></A>");
		assert.equal(root && readChild(root, "Id"), null);
	});

	for (const text of [
		...[
			"",
			"text",
			"<A>",
			"</A>",
			"<A></B>",
			"<A/><B/>",
			"<A/>text",
			"<A><B></A></B>",
			"<A x=1/>",
			"<A",
			"< A/>",
		],
		...[
			"<!DOCTYPE A><A/>",
			'<!DOCTYPE A [<!ENTITY b "c">]><A>&b;</A>',
			"<A><!-- b --></A>",
			"<A><![CDATA[b]]></A>",
		],
		...[
			"<A>&b;</A>",
			"<A>&amp</A>",
			"<A>a & b</A>",
			"<A>&#0;</A>",
			"<A>&#x110000;</A>",
			'<A></A b="c">',
			"<A></A/>",
		],
		...["<html><p>Bad gateway<br></html>", "<A><?pi b?></A>"],
	])
		test(`${JSON.stringify(text)} is refused`, () => assert.equal(parseS3Xml(text), null));

	test("escaped text is read as it was", () => {
		const text = `"a" & 'b' <c>`;
		assert.equal(parseS3Xml(`<A>${escapeXml(text)}</A>`)?.text, text);
	});
});
