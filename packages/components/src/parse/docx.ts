import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";
import { DocxBodyHandler, type DocxSurroundings } from "./docx-body.ts";
import { DocxNumberingHandler, DocxStylesHandler, TitleHandler } from "./docx-parts.ts";
import type { ReadCall } from "./file-text.ts";
import { OfficePackage } from "./office-package.ts";
import { OutputRoom } from "./output-room.ts";

/** Uncompressed. */
const MAX_MIB = { document: 128, notes: 32, styles: 16, numbering: 16, properties: 1 };

/** The text of a document as Markdown. */
export async function parseDocx(file: OpenFile, call: ReadCall): Promise<Json> {
	const { meter } = call;
	const office = await OfficePackage.open(file, call);
	const main = await office.findMain();
	const relations = await office.readRelations(main);
	const findPart = (wanted: string): string =>
		relations.find(({ type, isExternal }) => type === wanted && !isExternal)?.target ?? "";
	const styles = new DocxStylesHandler(meter);
	await office.read(findPart("styles"), styles, MAX_MIB.styles);
	const numbering = new DocxNumberingHandler(meter);
	await office.read(findPart("numbering"), numbering, MAX_MIB.numbering);
	const room = new OutputRoom("the document is too long");
	const links = new Map(
		relations.flatMap(({ id, type, target }) => (type === "hyperlink" ? [[id, target] as const] : [])),
	);
	const given: DocxSurroundings = { styles, numbering, links, room, meter };

	const body = new DocxBodyHandler(given);
	if (!(await office.read(main, body, MAX_MIB.document)))
		throw new TerminalError(`the document refers to ${main}, which is missing`);
	const notes = new DocxBodyHandler(given);
	await office.read(findPart("footnotes"), notes, MAX_MIB.notes);
	await office.read(findPart("endnotes"), notes, MAX_MIB.notes);
	const written = [...notes.notes].filter(([, text]) => text !== "").map(([id, text]) => `[^${id}]: ${text}`);

	const properties = (await office.readRelations("")).find(({ type }) => type === "core-properties");
	const title = new TitleHandler();
	await office.read(properties?.target ?? "", title, MAX_MIB.properties);
	return {
		title: title.title.trim() === "" ? null : title.title.trim(),
		text: [body.render(), ...written].filter((text) => text !== "").join("\n\n"),
	};
}
