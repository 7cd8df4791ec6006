import { type Document, isScalar, Document as NewDocument, Scalar, visit } from "yaml";
import { DOCUMENT_FIELDS, type WorkflowDocument } from "./decompile.ts";

const WIDTH = 100;
const INDENT = 2;
/** What a reader would not see, or an editor would change, is escaped. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u{feff}]/u;
const UNSEEN_SPACE = /^\s|[ \t](?:\n|$)/;
/** Folded, any other white space would not be what it was. */
const FOLDABLE = /^\S+(?: \S+)+$/;

/** A workflow document as somebody would write it. Read again, it is the same document. */
export function renderYaml(workflow: WorkflowDocument): string {
	const fields = DOCUMENT_FIELDS.filter((name) => workflow[name] !== undefined).map((name) => [
		name,
		workflow[name],
	]);
	const document = new NewDocument(Object.fromEntries(fields), {
		version: "1.2",
		schema: "core",
		aliasDuplicateObjects: false,
	});
	chooseStyles(document);
	// Quoted, a line break stays an escape: written as a line of its own, white space beside it can get lost.
	return document.toString({
		indent: INDENT,
		lineWidth: WIDTH,
		doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
	});
}

function chooseStyles(document: Document): void {
	visit(document, {
		Scalar(at, scalar, above) {
			if (typeof scalar.value !== "string" || at === "key") return;
			const pair = above.at(-1);
			const key =
				pair !== undefined && "key" in pair && isScalar(pair.key) ? String(pair.key.value).length : 0;
			const style = styleOf(scalar.value, INDENT * above.length + key);
			if (style !== undefined) scalar.type = style;
		},
	});
}

function styleOf(text: string, before: number): Scalar.Type | undefined {
	if (UNSEEN.test(text.replaceAll("\n", ""))) return Scalar.QUOTE_DOUBLE;
	if (text.includes("\n")) return UNSEEN_SPACE.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL;
	return before + text.length > WIDTH && FOLDABLE.test(text) ? Scalar.BLOCK_FOLDED : undefined;
}
