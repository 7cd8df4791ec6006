import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { PageRange } from "@tripline/platform/pdf";
import type { Effects, OpenFile } from "../effects.ts";
import { readBytes } from "./file-bytes.ts";
import type { ReadCall } from "./file-text.ts";

const MIB = 1024 * 1024;
/** What a page costs where it is read in the thread of the run: five milliseconds, and its text. */
const UNITS_PER_PAGE = 200_000;
const UNITS_PER_CHARACTER = 20;

/** The text of a PDF by page. */
export async function parsePdf(
	file: OpenFile,
	pages: string | undefined,
	pdf: Effects["pdf"],
	call: ReadCall,
): Promise<Json> {
	const { size } = file.value;
	if (size > pdf.maxBytes)
		throw new TerminalError(
			`the file has ${(size / MIB).toFixed(1)} MiB; as pdf, files of at most ${pdf.maxBytes / MIB} MiB are read here`,
		);
	const job = {
		pages: pages === undefined ? null : readPageRanges(pages),
		content: () => readBytes(file, 0, size),
		async pause(characters: number): Promise<void> {
			call.meter.spend(UNITS_PER_PAGE + UNITS_PER_CHARACTER * characters);
			if (call.needsTurn) await call.turn();
		},
	};
	const outcome = await pdf.read(job, call.signal);
	if (!outcome.ok) throw new TerminalError(outcome.error);
	const { info, pageCount, pages: read } = outcome.text;
	return {
		title: info.Title ?? null,
		author: info.Author ?? null,
		subject: info.Subject ?? null,
		created: readDate(info.CreationDate),
		modified: readDate(info.ModDate),
		page_count: pageCount,
		pages: read.map(({ number, text }) => ({ number, text })),
	};
}

export const PAGES =
	/^ *[1-9][0-9]{0,6}(?: *- *(?:[1-9][0-9]{0,6})?)?(?: *, *[1-9][0-9]{0,6}(?: *- *(?:[1-9][0-9]{0,6})?)?){0,99} *$/;

/** `1-5, 8, 10-`. */
function readPageRanges(text: string): PageRange[] {
	return text.split(",").map((part) => {
		const [from = "", to] = part.split("-");
		const first = Number(from);
		const last = to === undefined ? first : to.trim() === "" ? Number.POSITIVE_INFINITY : Number(to);
		if (last < first) throw new TerminalError(`pages ${part.trim()} must go from a page to a later one`);
		return { from: first, to: last };
	});
}

const DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([Z+-])(?:(\d\d)'?(?:(\d\d)'?)?)?)?/;

/** `D:20260302083000+01'00'` in UTC; without a zone the time is as written. Null if it is no time. */
function readDate(text: string | undefined): string | null {
	const found = DATE.exec(text ?? "");
	if (found === null) return null;
	const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, ...zone] = found;
	const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	const time = Date.parse(`${local}Z`);
	if (Number.isNaN(time)) return null;
	if (sign === undefined) return local;
	const [hours = "0", minutes = "0"] = zone;
	const offset = sign === "Z" ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
	return new Date(time - offset * 60_000).toISOString();
}
