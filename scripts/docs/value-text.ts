/** YAML on one line. */
export function renderFlow(value: unknown): string {
	if (typeof value === "string") return renderScalar(value);
	if (Array.isArray(value)) return `[${value.map(renderFlow).join(", ")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const fields = Object.entries(value).map(([name, inner]) => `${renderScalar(name)}: ${renderFlow(inner)}`);
	return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function renderScalar(text: string): string {
	const isPlain = /^[A-Za-z][\w .>()/-]*$/.test(text) && text.trim() === text;
	if (isPlain && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)) return text;
	return /^[^\p{Cc}'\\]*"[^\p{Cc}'\\]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** JSON on one line if it fits. */
export function renderJson(value: unknown, indent = ""): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const isList = Array.isArray(value);
	const write = (name: string, inner: unknown, at: string) =>
		isList ? renderJson(inner, at) : `${JSON.stringify(name)}: ${renderJson(inner, at)}`;
	const parts = (at: string) => Object.entries(value).map(([name, inner]) => write(name, inner, at));
	const inOne = parts("").join(", ");
	if (inOne.length < 90 && !inOne.includes("\n")) {
		return isList ? `[${inOne}]` : inOne === "" ? "{}" : `{ ${inOne} }`;
	}
	const deeper = `${indent}  `;
	const lines = `\n${deeper}${parts(deeper).join(`,\n${deeper}`)}\n${indent}`;
	return isList ? `[${lines}]` : `{${lines}}`;
}
