import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";
import { readBytes } from "./file-bytes.ts";
import { decodePieces, type ReadCall } from "./file-text.ts";
import { findAttribute, type XmlHandler, XmlPieces } from "./xml-pieces.ts";
import { readZipEntry } from "./zip-content.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

interface Relation {
	readonly id: string;
	/** The last segment of its type, such as `worksheet`. */
	readonly type: string;
	/** The path of a part, or an address if it is external. */
	readonly target: string;
	readonly isExternal: boolean;
}

const MIB = 1024 * 1024;
const MAX_RELATIONS_MIB = 4;
const MAX_RELATIONS = 20_000;
/** How files of Office 97 to 2003 begin, and those with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** A workbook or document of Office: a zip archive with parts that relate to each other. */
export class OfficePackage {
	private readonly file: OpenFile;
	private readonly call: ReadCall;
	private readonly entries: ReadonlyMap<string, ZipEntry>;

	private constructor(file: OpenFile, entries: readonly ZipEntry[], call: ReadCall) {
		this.file = file;
		this.call = call;
		this.entries = new Map(entries.map((entry) => [entry.path.toLowerCase(), entry]));
	}

	static async open(file: OpenFile, call: ReadCall): Promise<OfficePackage> {
		if (file.value.size > COMPOUND_FILE.length) {
			const first = await readBytes(file, 0, COMPOUND_FILE.length);
			if (COMPOUND_FILE.every((byte, at) => first[at] === byte))
				throw new TerminalError(
					"the file has a password or the old Office format; save it as xlsx or docx without a password",
				);
		}
		return new OfficePackage(file, await readZipDirectory(file, call), call);
	}

	/** Path of the main part, such as `xl/workbook.xml`. */
	async findMain(): Promise<string> {
		const relations = await this.readRelations("");
		const main = relations.find(({ type, isExternal }) => type === "officeDocument" && !isExternal);
		if (main === undefined) throw new TerminalError("the file is a zip archive, but not one of Office");
		return main.target;
	}

	/** Reads a part in pieces, at most `maxMib` uncompressed. False if there is none. */
	async read(path: string, handler: XmlHandler, maxMib: number): Promise<boolean> {
		const entry = this.entries.get(path.toLowerCase());
		if (entry === undefined) return false;
		const xml = new XmlPieces(handler, path, this.call.meter);
		const bytes = readZipEntry(this.file, entry, maxMib * MIB, this.call);
		const createError = (encoding: string) =>
			new TerminalError(`${path} in the file is not readable XML: it is not text in ${encoding}`);
		for await (const piece of decodePieces(bytes, "utf-8", createError, this.call)) {
			xml.read(piece, false);
			if (handler.isDone) return true;
		}
		xml.read("", true);
		return true;
	}

	/** What a part refers to; the empty path stands for the package. */
	async readRelations(path: string): Promise<Relation[]> {
		const slash = path.lastIndexOf("/") + 1;
		const folder = path.slice(0, slash);
		const relations: Relation[] = [];
		const { meter } = this.call;
		const handler: XmlHandler = {
			open(name, attributes) {
				if (name !== "Relationship") return;
				if (relations.length === MAX_RELATIONS)
					throw new TerminalError(`a part of the file refers to more than ${MAX_RELATIONS} others`);
				const find = (attribute: string): string => findAttribute(attributes, attribute, meter) ?? "";
				const isExternal = find("TargetMode") === "External";
				const target = find("Target");
				relations.push({
					id: find("Id"),
					type: find("Type").split("/").at(-1) ?? "",
					target: isExternal ? target : resolvePath(folder, target),
					isExternal,
				});
			},
			close() {},
			text() {},
		};
		await this.read(`${folder}_rels/${path.slice(slash)}.rels`, handler, MAX_RELATIONS_MIB);
		return relations;
	}
}

function resolvePath(folder: string, target: string): string {
	const segments: string[] = [];
	for (const segment of (target.startsWith("/") ? target : folder + target).split("/")) {
		if (segment === "..") segments.pop();
		else if (segment !== "" && segment !== ".") segments.push(segment);
	}
	return segments.join("/");
}
