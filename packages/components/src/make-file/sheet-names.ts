const MAX_CHARACTERS = 31;
const FORBIDDEN = /[:\\/?*[\]\p{Cc}]/u;

/** Why spreadsheets would refuse the name of a sheet, or null. `taken` are the names before it, in lower case. */
export function findSheetNameProblem(name: string, taken: Set<string>): string | null {
	const key = name.toLowerCase();
	if (name.trim() === "") return "must not be empty";
	if (name.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
	if (FORBIDDEN.test(name)) return "must not contain : \\ / ? * [ ] or control characters";
	if (name.startsWith("'") || name.endsWith("'")) return "must not start or end with an apostrophe";
	if (key === "history") return "must not be History, which spreadsheets reserve";
	if (taken.has(key)) return "is the name of two sheets; upper and lower case count as the same";
	taken.add(key);
	return null;
}
