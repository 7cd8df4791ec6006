import { memoryFiles } from "../memory-files.ts";

/** The files of the tenant in the table of requests. */
export const tenantFiles = memoryFiles();

/** Bytes that are no text in any encoding, several chunks of them, with what ends a part of a form. */
export const PICTURE = Buffer.from(
	Array.from({ length: 3_000 }, (_, index) => (index * 131) % 256).concat([
		...Buffer.from("\r\n--tripline-\r\n"),
	]),
);

export const picture = tenantFiles.add("chart ü.png", "image/png", PICTURE);
