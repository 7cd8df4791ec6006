const MAX_NAME_LENGTH = 64;

/** `listUserRepos`, `repos/list-for-user` and `GET /repos` as words in lower case, joined by `_`. */
export function toSnakeCase(text: string): string {
	return text
		.slice(0, 4 * MAX_NAME_LENGTH)
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.replace(/([a-z0-9])([A-Z])/g, "$1_$2")
		.replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
		.replace(/[^A-Za-z0-9]+/g, "_")
		.replace(/^_+|_+$/g, "")
		.toLowerCase();
}

/** A name for an operation: it starts with a letter. */
export function toOperationName(text: string): string {
	const name = toSnakeCase(text);
	return (/^[a-z]/.test(name) ? name : `op_${name}`).slice(0, MAX_NAME_LENGTH).replace(/_+$/, "");
}

/** Adds `_2`, `_3` and so on to a name that is taken. */
export function makeUnique(name: string, isTaken: (name: string) => boolean): string {
	if (!isTaken(name)) return name;
	for (let number = 2; ; number++) {
		const suffix = `_${number}`;
		const next = name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
		if (!isTaken(next)) return next;
	}
}

/** A parameter keeps its name if templates and paths can use it: people know it from the service's documentation. */
export function toParameterName(name: string): string {
	if (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) return name;
	const words = toSnakeCase(name);
	return (/^[a-z]/.test(words) ? words : `p_${words}`).slice(0, MAX_NAME_LENGTH).replace(/_+$/, "");
}
