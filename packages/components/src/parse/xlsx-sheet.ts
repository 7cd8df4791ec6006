import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutputRoom } from "./output-room.ts";
import { RowWindow, type WindowOptions } from "./row-window.ts";
import { formatSerial, type NumberKind } from "./xlsx-dates.ts";
import { decodeEscapes } from "./xlsx-parts.ts";
import { MAX_COLUMNS, MAX_ROWS, readColumn, type SheetRange, writeColumn } from "./xlsx-range.ts";
import { findAttribute, type XmlHandler } from "./xml-pieces.ts";

export interface SheetOptions extends WindowOptions {
	readonly header: boolean;
	readonly range: SheetRange;
}

export interface Workbook {
	readonly strings: readonly string[];
	readonly kinds: readonly NumberKind[];
	readonly is1904: boolean;
}

type Cell = string | number | boolean;

const UNITS_PER_CELL = 12;
const UNITS_PER_ROW = 30;
const SPACE = 32;

/** Reads the rows of a sheet. Rows without values are skipped, so a far row or column costs nothing but its own place. */
export class SheetHandler implements XmlHandler {
	readonly rows: Json[] = [];
	isDone = false;
	private readonly workbook: Workbook;
	private readonly options: SheetOptions;
	private readonly room: OutputRoom;
	private readonly meter: Meter;
	private readonly window: RowWindow;
	/** Empty before the header. */
	private readonly names: string[] = [];
	/** Of a column's name among the names. */
	private readonly places = new Map<number, number>();
	private nameCharacters = 0;
	/** Setting this name on an object would change its prototype. */
	private hasUnsafeName = false;
	private row = 0;
	private column = -1;
	/** The values of the row, and the column of each. */
	private columns: number[] = [];
	private cells: Cell[] = [];
	private type = "";
	private style = 0;
	private value = "";
	private hasValue = false;
	private isInValue = false;
	private isInPhonetics = false;

	constructor(workbook: Workbook, options: SheetOptions, room: OutputRoom, meter: Meter) {
		this.workbook = workbook;
		this.options = options;
		this.room = room;
		this.meter = meter;
		this.window = new RowWindow(options);
	}

	open(name: string, attributes: string): void {
		switch (name) {
			case "row":
				this.beginRow(attributes);
				break;
			case "c":
				this.beginCell(attributes);
				break;
			case "v":
				this.isInValue = true;
				this.hasValue = true;
				break;
			case "rPh":
				this.isInPhonetics = true;
				break;
			case "t":
				this.isInValue = !this.isInPhonetics;
				this.hasValue = true;
		}
	}

	close(name: string): void {
		switch (name) {
			case "v":
			case "t":
				this.isInValue = false;
				break;
			case "rPh":
				this.isInPhonetics = false;
				break;
			case "c":
				if (this.hasValue) this.endCell();
				break;
			case "row":
				this.endRow();
				break;
			case "sheetData":
				this.isDone = true;
		}
	}

	text(text: string): void {
		if (this.isInValue) this.value += text;
	}

	private beginRow(attributes: string): void {
		const given = findAttribute(attributes, "r", this.meter);
		this.row = given === undefined ? this.row + 1 : Number(given);
		if (!(Number.isInteger(this.row) && this.row >= 1 && this.row <= MAX_ROWS))
			throw new TerminalError(`the sheet has a row with the number ${String(given).slice(0, 20)}`);
		this.column = -1;
		if (this.row > this.options.range.lastRow) this.isDone = true;
	}

	private beginCell(attributes: string): void {
		this.meter.spend(UNITS_PER_CELL);
		this.type = "n";
		this.style = 0;
		this.value = "";
		this.hasValue = false;
		this.column++;
		// All in one pass, because there may be a million cells: r="B2" s="1" t="s".
		for (let at = 0; ; ) {
			const equals = attributes.indexOf("=", at);
			if (equals === -1) break;
			const quote = attributes[equals + 1] as string;
			const end = attributes.indexOf(quote, equals + 2);
			if (end === -1) break;
			if (attributes.charCodeAt(equals - 2) <= SPACE) this.setAttribute(attributes, equals, end);
			at = end + 1;
		}
		if (this.column < 0 || this.column >= MAX_COLUMNS)
			throw new TerminalError(`the sheet has a cell with the reference ${attributes.slice(0, 30)}`);
	}

	private setAttribute(attributes: string, equals: number, end: number): void {
		switch (attributes[equals - 1]) {
			case "r":
				this.column = readColumn(attributes, equals + 2);
				break;
			case "s":
				this.style = Number(attributes.slice(equals + 2, end));
				break;
			case "t":
				this.type = attributes.slice(equals + 2, end);
		}
	}

	private endCell(): void {
		const { firstColumn, lastColumn, firstRow } = this.options.range;
		this.hasValue = false;
		if (this.column < firstColumn || this.column > lastColumn || this.row < firstRow) return;
		const cell = this.readCell();
		if (cell === "") return;
		this.columns.push(this.column);
		this.cells.push(cell);
	}

	private readCell(): Cell {
		const { value } = this;
		switch (this.type) {
			case "s": {
				const text = this.workbook.strings[Number(value)];
				if (text === undefined)
					throw new TerminalError("a cell refers to a text that the workbook does not have");
				return text;
			}
			case "str":
			case "inlineStr":
				return decodeEscapes(value);
			case "b":
				return value === "1" || value === "true";
			case "n":
				return this.readNumber(value);
			default:
				// Errors such as #N/A, and dates that are already text.
				return value;
		}
	}

	private readNumber(text: string): Cell {
		const number = Number(text);
		if (!Number.isFinite(number)) return text;
		const kind = this.workbook.kinds[this.style] ?? "number";
		if (kind === "number" || text === "") return text === "" ? "" : number;
		this.meter.spend(UNITS_PER_CELL);
		return formatSerial(number, kind, this.workbook.is1904) ?? number;
	}

	private endRow(): void {
		const { cells, columns, options, window } = this;
		this.meter.spend(UNITS_PER_ROW);
		if (cells.length === 0) return;
		this.columns = [];
		this.cells = [];
		if (options.header && this.names.length === 0) {
			this.readNames(columns, cells);
			return;
		}
		if (window.takeNext())
			this.rows.push(options.header ? this.createObject(columns, cells) : this.createList(columns, cells));
		if (window.isOver) this.isDone = true;
	}

	private readNames(columns: readonly number[], cells: readonly Cell[]): void {
		const order = columns
			.map((_, at) => at)
			.sort((one, other) => (columns[one] as number) - (columns[other] as number));
		for (const at of order) this.addName(String(cells[at]), columns[at] as number);
	}

	private addName(name: string, column: number): number {
		if (this.names.includes(name))
			throw new TerminalError(
				`two columns of the sheet are named ${name}, one of them is ${writeColumn(column)}; rename one, or use header: false`,
			);
		this.meter.spend(this.names.length);
		this.nameCharacters += name.length;
		if (name === "__proto__") this.hasUnsafeName = true;
		this.places.set(column, this.names.length);
		return this.names.push(name) - 1;
	}

	/** A value in a column without a name gets the column's letters as its name. */
	private createObject(columns: readonly number[], cells: readonly Cell[]): Json {
		const values: (Cell | null)[] = this.names.map(() => null);
		for (let at = 0; at < cells.length; at++) {
			const column = columns[at] as number;
			values[this.places.get(column) ?? this.addName(writeColumn(column), column)] = cells[at] as Cell;
		}
		const count = this.names.length;
		this.meter.spend(5 * count);
		this.room.take(
			2 + this.nameCharacters + 4 * count + sum(values, countJson),
			64 + 24 * count + sum(values, countMemory),
		);
		if (this.hasUnsafeName)
			return Object.fromEntries(this.names.map((name, at) => [name, values[at] as Cell | null]));
		const row: { [name: string]: Json } = {};
		for (let at = 0; at < count; at++) row[this.names[at] as string] = values[at] as Cell | null;
		return row;
	}

	private createList(columns: readonly number[], cells: readonly Cell[]): Json {
		const { firstColumn } = this.options.range;
		const length = Math.max(...columns) - firstColumn + 1;
		this.meter.spend(length + cells.length);
		this.room.take(
			2 + 5 * (length - cells.length) + sum(cells, countJson),
			40 + 8 * length + sum(cells, countMemory),
		);
		const values: (Cell | null)[] = new Array(length).fill(null);
		columns.forEach((column, at) => {
			values[column - firstColumn] = cells[at] as Cell;
		});
		return values;
	}
}

function sum(cells: readonly (Cell | null)[], count: (cell: Cell | null) => number): number {
	let total = 0;
	for (let at = 0; at < cells.length; at++) total += count(cells[at] as Cell | null);
	return total;
}

const countJson = (cell: Cell | null): number => (typeof cell === "string" ? cell.length + 2 : 2);
const countMemory = (cell: Cell | null): number => (typeof cell === "string" ? 32 + cell.length : 8);
