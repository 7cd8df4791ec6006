/** The body of each object; its number is its place, from 1. The first must be the catalog. */
type Objects = readonly (string | { readonly dictionary: string; readonly stream: Uint8Array | string })[];

interface Wrong {
	/** Added to the trailer. */
	readonly trailer?: string;
	/** In place of the table's real position. */
	readonly startxref?: number;
}

/** Writes PDF files for tests, also wrong ones. */
export function writePdf(objects: Objects, { trailer = "", startxref }: Wrong = {}): Uint8Array<ArrayBuffer> {
	const parts: Uint8Array[] = [];
	const offsets: number[] = [];
	let at = 0;
	const add = (content: Uint8Array | string) => {
		const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
		parts.push(bytes);
		at += bytes.length;
	};
	add("%PDF-1.7\n");
	objects.forEach((object, index) => {
		offsets.push(at);
		if (typeof object === "string") add(`${index + 1} 0 obj\n${object}\nendobj\n`);
		else {
			const length =
				typeof object.stream === "string"
					? new TextEncoder().encode(object.stream).length
					: object.stream.length;
			add(`${index + 1} 0 obj\n<< ${object.dictionary} /Length ${length} >>\nstream\n`);
			add(object.stream);
			add("\nendstream\nendobj\n");
		}
	});
	const table = at;
	const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
	add(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}`);
	add(
		`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${startxref ?? table}\n%%EOF\n`,
	);
	const bytes = new Uint8Array(at);
	let place = 0;
	for (const part of parts) {
		bytes.set(part, place);
		place += part.length;
	}
	return bytes;
}

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const RESOURCES = "/Resources << /Font << /F 3 0 R >> /XObject << /X 6 0 R >> >> /MediaBox [0 0 300 300]";

/** One page with this content. */
export const writePage = (
	content: { readonly dictionary: string; readonly stream: Uint8Array | string },
	...more: Objects
): Uint8Array<ArrayBuffer> =>
	writePdf([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
		FONT,
		`<< /Type /Page /Parent 2 0 R /Contents 5 0 R ${RESOURCES} >>`,
		content,
		...more,
	]);

/** Text that says the number of its page. `info` is what the file says about itself. */
export function writePages(count: number, info = ""): Uint8Array<ArrayBuffer> {
	const first = 5;
	const numbers = Array.from({ length: count }, (_, at) => at);
	const objects: Objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		`<< /Type /Pages /Kids [${numbers.map((at) => `${first + 2 * at} 0 R`).join(" ")}] /Count ${count} >>`,
		FONT,
		`<< ${info} >>`,
		...numbers.flatMap((at) => [
			`<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * at + 1} 0 R /Resources << /Font << /F 3 0 R >> >> /MediaBox [0 0 300 300] >>`,
			{ dictionary: "", stream: `BT /F 12 Tf 10 200 Td (Page ${at + 1}) Tj ET` },
		]),
	];
	return writePdf(objects, { trailer: "/Info 4 0 R" });
}
