import type { FileValue } from "@tripline/contract/files";

export interface OpenFile {
	readonly value: FileValue;
	/**
	 * The bytes from `start` up to but not including `end`; default all. May be called several times. The chunks belong
	 * to the caller.
	 */
	read(range?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>;
}
