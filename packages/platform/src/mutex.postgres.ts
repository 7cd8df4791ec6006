import { Client } from "pg";
import { readConnection } from "./postgres-connection.node.ts";
import { translateError } from "./postgres-errors.ts";

/**
 * Runs tasks of all processes one after another. Each connects for itself, so that the lock ends with its process; it is
 * for tasks that are rare.
 */
export function postgresMutex(url: string, name: string): <T>(work: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const run = () => runLocked(work);
		const next = last.then(run, run);
		last = next.catch(() => {});
		return next;
	};

	async function runLocked<T>(work: () => Promise<T>): Promise<T> {
		const client = new Client(readConnection(url));
		client.on("error", () => {});
		try {
			await client.connect();
			await client.query("select pg_advisory_lock(hashtext('tripline'), hashtext($1))", [name]);
		} catch (error) {
			await client.end().catch(() => {});
			throw translateError(error);
		}
		try {
			return await work();
		} finally {
			await client.end().catch(() => {});
		}
	}
}
