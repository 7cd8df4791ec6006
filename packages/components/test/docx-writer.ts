import { type WrittenEntry, writeZip } from "./zip-writer.ts";

const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A document with the given XML as its body, for tests. */
export const writeDocx = (body: string, more: readonly WrittenEntry[] = []): Buffer =>
	writeZip([
		{
			path: "_rels/.rels",
			content: `<Relationships><Relationship Id="a" Type="${TYPES}/officeDocument" Target="/word/document.xml"/></Relationships>`,
		},
		{ path: "word/document.xml", content: `<w:document><w:body>${body}</w:body></w:document>` },
		...more,
	]);
