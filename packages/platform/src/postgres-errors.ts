import { SqlDamaged, SqlUnavailable } from "./sql.ts";

/** The caller may try again: SQLSTATE classes and codes. */
const TEMPORARY = [
	"08", // connection
	"40", // conflict of transactions
	"53", // resources: disk full, too many connections
	"55P03", // a lock was not available
	"57014", // statement timeout
	"57P", // shutdown, starting up
	"58", // operating system, I/O
	"25006", // read-only: a standby, or a primary that has lost its role
	"25P03", // idle in a transaction for too long
];
/** Corrupt data or index. */
const DAMAGED = new Set(["XX001", "XX002"]);
const CONFLICTS = new Set(["40001", "40P01"]);

const readCode = (error: unknown): string | undefined => {
	const code = (error as { code?: unknown } | null)?.code;
	return typeof code === "string" ? code : undefined;
};

/** The transaction can be repeated: it lost against another one. */
export const isTransactionConflict = (error: unknown): boolean => CONFLICTS.has(readCode(error) ?? "");

/** Another process has migrated a table, and a prepared statement would now return other columns. */
export const isStalePlan = (error: unknown): boolean =>
	readCode(error) === "0A000" && (error as Error).message.includes("cached plan");

/** Errors of a statement are returned as they are; a database that cannot answer now is a `SqlUnavailable`. */
export function translateError(error: unknown): unknown {
	if (!(error instanceof Error)) return error;
	const code = readCode(error);
	if (code !== undefined && DAMAGED.has(code)) return new SqlDamaged(error.message, { cause: error });
	const isTemporary =
		code !== undefined && SQLSTATE.test(code)
			? TEMPORARY.some((prefix) => code.startsWith(prefix))
			: // The network has codes of its own, and the driver has none; other classes of errors are mistakes.
				code !== undefined || error.constructor === Error;
	return isTemporary ? new SqlUnavailable(error.message, { cause: error }) : error;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
