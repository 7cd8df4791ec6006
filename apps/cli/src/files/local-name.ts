import { extname } from "node:path";
import { toFileName } from "@tripline/contract/files";

/** File systems limit names to 255 bytes. */
const MAX_NAME_BYTES = 240;
const WINDOWS_UNSAFE = /[<>:"|?*]/g;
const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name from the service that is safe as a name in a folder of this machine. */
export function toLocalName(given: string, platform: string = process.platform): string {
	const name = cutBytes(toFileName(String(given)));
	if (platform !== "win32") return name;
	const safe = name.replaceAll(WINDOWS_UNSAFE, "_").replace(/[. ]+$/, "_");
	return WINDOWS_RESERVED.test(safe) ? `_${safe}` : safe;
}

/** Cuts the name before its suffix. */
function cutBytes(name: string): string {
	if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
	const suffix = Buffer.byteLength(extname(name)) <= 20 ? extname(name) : "";
	let kept = "";
	for (const character of name.slice(0, name.length - suffix.length)) {
		if (Buffer.byteLength(kept + character + suffix) > MAX_NAME_BYTES) break;
		kept += character;
	}
	return kept + suffix;
}
