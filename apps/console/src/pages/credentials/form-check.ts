type NameProblem = "empty" | "long" | "characters" | "taken";

export function findNameProblem(name: string, taken: readonly string[]): NameProblem | null {
	if (name.trim() === "") return "empty";
	if (name.length > 128) return "long";
	if (/[/\p{Cc}]/u.test(name) || name !== name.trim() || name === "." || name === "..") return "characters";
	return taken.includes(name) ? "taken" : null;
}

/** The service's errors by field name. Other errors belong to the whole form. */
interface FieldProblems {
	readonly fields: Readonly<Record<string, string>>;
	readonly form: Error | null;
}

export function collectFieldProblems(error: Error | null, fields: readonly string[]): FieldProblems {
	const issues = readIssues(error);
	const found: Record<string, string> = {};
	const others: string[] = [];
	for (const { path, message } of issues) {
		const name = path.replace(/^fields\./, "");
		if (fields.includes(name)) found[name] ??= message;
		// An error of `fields` as a whole concerns the host, if the recipe has that field.
		else if (path === "fields" && fields.includes("host")) found.host ??= message;
		else others.push(`${path} ${message}`.trim());
	}
	if (others.length > 0) return { fields: found, form: new Error(others.join("; ")) };
	return { fields: found, form: issues.length === 0 ? error : null };
}

export interface Issue {
	readonly path: string;
	readonly message: string;
}

/** The issues in the service's response, if there is one. */
export function readIssues(error: Error | null): readonly Issue[] {
	const { answer } = (error ?? {}) as { readonly answer?: { readonly issues?: unknown } };
	return Array.isArray(answer?.issues) ? (answer.issues as Issue[]) : [];
}
