import type { Duplex } from "node:stream";
import { DatabaseProblem } from "./databases.ts";

/** Of what a server sends besides rows, such as notices and the descriptions of columns. */
export const MAX_OTHER_BYTES = 1024 * 1024;

/** Ends a connection over which more arrives than is allowed: a single value can be as large as a gigabyte. */
export function byteMeter() {
	let left = MAX_OTHER_BYTES;
	return {
		allow(bytes: number): void {
			left = bytes;
		},
		isExceeded: () => left < 0,
		watch(stream: Duplex): void {
			stream.on("data", (chunk: Uint8Array) => {
				left -= chunk.length;
				if (left < 0) stream.destroy();
			});
		},
	};
}

/** Ends the connection if a driver fails to read what arrived: an error in a listener would end the process. */
export function catchErrors(stream: Duplex): void {
	for (const listener of stream.listeners("data")) {
		stream.off("data", listener as (chunk: Uint8Array) => void);
		stream.on("data", (chunk: Uint8Array) => {
			if (stream.destroyed) return;
			try {
				listener.call(stream, chunk);
			} catch (error) {
				stream.destroy(
					error instanceof DatabaseProblem
						? error
						: new DatabaseProblem("the server's answer cannot be read"),
				);
			}
		});
	}
}
