import { readConnection } from "./postgres-connection.node.ts";

/** A connection on which nothing can be written, for checks. */
export async function connectPostgres(url: string): Promise<{
	read(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
	close(): Promise<void>;
}> {
	const { default: pg } = await import("pg");
	const client = new pg.Client(readConnection(url));
	// An error outside of a query, such as a lost connection, must not end the process: the next query reports it.
	client.on("error", () => {});
	await client.connect();
	await client.query("set default_transaction_read_only = on");
	return {
		async read(query) {
			return (await client.query<Record<string, unknown>>(query)).rows;
		},
		close: () => client.end(),
	};
}
