import type { Writable } from "node:stream";
import type { Json } from "@tripline/contract/json";
import type { Submittable } from "pg";
import { DatabaseProblem, type DatabaseStatement } from "./databases.ts";
import { toParameter } from "./databases-postgres-values.node.ts";

/** What a query uses of the driver's connection. */
interface Wire {
	readonly stream: Pick<Writable, "cork" | "uncork" | "write">;
	parse(query: { text: string }): void;
	describe(what: { type: "S" | "P"; name: string }): void;
	bind(values: { portal: string; values: (string | null)[] }): void;
	execute(portal: { portal: string; rows: number }): void;
	flush(): void;
	sync(): void;
	sendCopyFail(message: string): void;
	once(event: "parameterDescription", listener: (message: ParameterDescription) => void): void;
	removeListener(event: "parameterDescription", listener: (message: ParameterDescription) => void): void;
}

interface ParameterDescription {
	readonly dataTypeIDs: readonly number[];
}

interface Field {
	readonly name: string;
	readonly dataTypeID: number;
}

/** Rows as the server sends them. */
export interface RawRows {
	readonly fields: readonly Field[];
	readonly rows: readonly (readonly (string | null)[])[];
	/** Such as `UPDATE 3`. Null if there may be further rows. */
	readonly tag: string | null;
}

export interface Portal {
	/** Null continues the portal. */
	readonly statement: DatabaseStatement | null;
	/** Empty for one that ends with its first rows. */
	readonly name: string;
	readonly maxRows: number;
	/** Whether the statement is a read-only transaction of its own. */
	readonly isReadOnly?: boolean;
	/** Called with the size of each row. */
	onBytes(bytes: number): void;
}

/**
 * Sent before and after the statement in the same packet, so that the transaction costs no further round trips. If the
 * statement fails, the server skips what follows. A transaction that has done a query cannot be made writable again.
 */
const BEGIN_COMMANDS = ["begin read only", "select where false"];
const BEGIN = Buffer.concat(BEGIN_COMMANDS.map(encodeCommand));
const COMMIT = encodeCommand("commit");

/** The messages that prepare, bind and execute a command without values. */
function encodeCommand(sql: string): Buffer {
	const encode = (type: string, body: Buffer) => {
		const head = Buffer.alloc(5);
		head.write(type);
		head.writeInt32BE(body.length + 4, 1);
		return Buffer.concat([head, body]);
	};
	return Buffer.concat([
		encode("P", Buffer.from(`\0${sql}\0\0\0`)),
		encode("B", Buffer.alloc(8)),
		encode("E", Buffer.alloc(5)),
	]);
}

/**
 * One prepared statement, whose text can hold only one command. Of the driver's own query the number of rows cannot be
 * bounded, and it converts values with a loss.
 */
export class PortalQuery implements Submittable {
	readonly result: Promise<RawRows>;
	readonly #portal: Portal;
	readonly #rows: (string | null)[][] = [];
	#fields: readonly Field[] = [];
	#tag: string | null = null;
	#isSynced = false;
	/** Of the commands before the statement. */
	#tagsToSkip: number;
	#isComplete = false;
	#stopListening: () => void = () => {};
	#resolve: (result: RawRows) => void;
	#reject: (error: unknown) => void;

	constructor(portal: Portal) {
		this.#portal = portal;
		this.#tagsToSkip = portal.isReadOnly ? BEGIN_COMMANDS.length : 0;
		const { promise, resolve, reject } = Promise.withResolvers<RawRows>();
		this.result = promise;
		this.#resolve = resolve;
		this.#reject = reject;
	}

	submit(connection: unknown): void {
		const wire = connection as Wire;
		const { statement } = this.#portal;
		// All messages in one packet.
		wire.stream.cork();
		if (statement === null) this.#execute(wire);
		else this.#prepare(wire, statement);
		wire.stream.uncork();
	}

	#prepare(wire: Wire, { sql, params }: DatabaseStatement): void {
		if (this.#portal.isReadOnly) wire.stream.write(BEGIN);
		wire.parse({ text: sql });
		if (!params.some(Array.isArray)) {
			this.#bind(wire, params, []);
			return;
		}
		// Only the server knows whether a list is an array or JSON.
		const bind = ({ dataTypeIDs }: ParameterDescription) => this.#bind(wire, params, dataTypeIDs);
		wire.once("parameterDescription", bind);
		this.#stopListening = () => wire.removeListener("parameterDescription", bind);
		wire.describe({ type: "S", name: "" });
		wire.flush();
	}

	#bind(wire: Wire, params: readonly Json[], types: readonly number[]): void {
		const { name } = this.#portal;
		wire.bind({ portal: name, values: params.map((value, index) => toParameter(value, types[index])) });
		wire.describe({ type: "P", name });
		this.#execute(wire);
	}

	#execute(wire: Wire): void {
		wire.execute({ portal: this.#portal.name, rows: this.#portal.maxRows });
		if (this.#portal.isReadOnly) wire.stream.write(COMMIT);
		this.#isSynced = true;
		wire.sync();
	}

	handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
		this.#fields = fields;
	}

	handleDataRow({ fields, length }: { readonly fields: (string | null)[]; readonly length: number }): void {
		if (!fitsRow(fields, length))
			throw new DatabaseProblem("the server sent a value that is longer than its row");
		this.#portal.onBytes(length);
		this.#rows.push(fields);
	}

	handleCommandComplete({ text }: { readonly text: string }): void {
		if (this.#tagsToSkip > 0) this.#tagsToSkip--;
		else this.#complete(text);
	}

	handlePortalSuspended(): void {
		this.#isComplete = true;
	}

	handleEmptyQuery(): void {
		this.#complete("");
	}

	#complete(tag: string): void {
		// The tag of the commit comes after it.
		if (!this.#isComplete) this.#tag = tag;
		this.#isComplete = true;
	}

	handleCopyInResponse(wire: Wire): void {
		wire.sendCopyFail("nothing can be copied");
		// The server has ignored the one before, unless other commands preceded it.
		if (!this.#portal.isReadOnly) wire.sync();
	}

	handleCopyData(): void {}

	handleReadyForQuery(): void {
		this.#resolve({ fields: this.#fields, rows: this.#rows, tag: this.#tag });
	}

	handleError(error: unknown, wire: Wire): void {
		this.#stopListening();
		if (!this.#isSynced) wire.sync();
		this.#reject(error);
	}
}

/** Of a row's length, with which the number of its values follows; of each value its own. */
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;

/** The driver reads on in what follows the row. What is no UTF-8 has another length as text. */
function fitsRow(values: readonly (string | null)[], length: number): boolean {
	const bytes = length - LENGTH_BYTES - COUNT_BYTES - LENGTH_BYTES * values.length;
	let characters = 0;
	for (const value of values) characters += value?.length ?? 0;
	if (characters === bytes) return true;
	let read = 0;
	for (const value of values) if (value !== null) read += Buffer.byteLength(value);
	return read === bytes || values.some((value) => value?.includes("\uFFFD"));
}
