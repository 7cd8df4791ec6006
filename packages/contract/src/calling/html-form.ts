import type { JsonObject } from "../workflows.ts";
import { type CallFacts, takesBody } from "./facts.ts";

interface Property {
	readonly type?: unknown;
	readonly format?: unknown;
	readonly contentMediaType?: unknown;
	readonly items?: unknown;
	readonly title?: unknown;
	readonly enum?: unknown;
}

/** A form for a page of the caller's own, with a field for each property of the schema or of the sample. */
export function buildHtmlForm(
	call: Pick<CallFacts, "webhook_url" | "accept">,
	{ input, schema }: { readonly input: JsonObject; readonly schema?: JsonObject | undefined },
): string {
	const properties = isObject(schema?.properties) ? schema.properties : {};
	const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : [];
	const names = [...new Set([...Object.keys(properties), ...Object.keys(input)])];
	const hasFiles = takesBody(call, "files");
	return [
		`<form method="post" action="${escapeHtml(call.webhook_url)}"${hasFiles ? ' enctype="multipart/form-data"' : ""}>`,
		...names.map((name) => {
			const property = isObject(properties[name]) ? properties[name] : {};
			return buildField(name, property, required.includes(name));
		}),
		...(hasFiles && !names.includes("file") && listFileNames(schema).length === 0
			? ['  <p><label>File <input type="file" name="file"></label></p>']
			: []),
		'  <p><button type="submit">Send</button></p>',
		"</form>",
	].join("\n");
}

function buildField(name: string, property: Property, isRequired: boolean): string {
	// A required checkbox would have to be ticked.
	const mayBeEmpty = !isRequired || property.type === "boolean";
	const label = escapeHtml(typeof property.title === "string" ? property.title : name);
	const common = `name="${escapeHtml(name)}"${mayBeEmpty ? "" : " required"}`;
	return `  <p><label>${label} ${buildControl(property, common)}</label></p>`;
}

function buildControl(property: Property, common: string): string {
	const file = findFile(property);
	if (file !== null) {
		const { contentMediaType: types } = file;
		const accept = typeof types === "string" ? ` accept="${escapeHtml(types)}"` : "";
		return `<input type="file" ${common}${accept}${file === property ? "" : " multiple"}>`;
	}
	if (Array.isArray(property.enum)) {
		const options = property.enum.map((value) => `<option>${escapeHtml(String(value))}</option>`);
		return `<select ${common}>${options.join("")}</select>`;
	}
	if (property.type === "boolean") return `<input type="checkbox" value="true" ${common}>`;
	if (property.type === "integer") return `<input type="number" ${common}>`;
	if (property.type === "number") return `<input type="number" step="any" ${common}>`;
	return `<input type="${INPUT_TYPES.get(property.format) ?? "text"}" ${common}>`;
}

/** The properties of an input schema that are files or lists of files. */
export function listFileNames(schema: JsonObject | undefined): string[] {
	const properties = isObject(schema?.properties) ? schema.properties : {};
	return Object.keys(properties).filter((name) => {
		const property = properties[name];
		return isObject(property) && findFile(property) !== null;
	});
}

/** The schema of the file, or of the files in a list. */
function findFile(property: Property): Property | null {
	if (property.format === "file") return property;
	return isObject(property.items) && property.items.format === "file" ? property.items : null;
}

const INPUT_TYPES: ReadonlyMap<unknown, string> = new Map([
	["email", "email"],
	["uri", "url"],
	["date", "date"],
]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
