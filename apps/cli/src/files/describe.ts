import type { FileValue } from "@tripline/contract/files";
import { toPrintable } from "../printable.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Such as `1.2 MB`. */
export function formatSize(bytes: number): string {
	const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
	const value = bytes / 1000 ** power;
	return `${Number(value.toFixed(value < 100 && power > 0 ? 1 : 0))} ${UNITS[power]}`;
}

/** A name or type from elsewhere, on one line. */
export const toShown = (text: string): string => toPrintable(String(text)).replaceAll(/[\n\t]/g, " ");

export const describeFile = ({ name, type, size }: Pick<FileValue, "name" | "type" | "size">): string =>
	`${toShown(name)}  ${toShown(type)}  ${formatSize(size)}`;

/** An id may begin with a dash and look like a flag. */
export const renderDownload = (id: string): string =>
	`tripline files download ${id.startsWith("-") ? `-- ${id}` : id}`;
