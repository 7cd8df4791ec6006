import type { Evaluate, Names } from "../frame.ts";
import { TerminalError } from "../terminal-error.ts";
import { isRefused, quoteSource } from "./path.ts";
import type { TextProblem } from "./problem.ts";
import type { Path, Reference } from "./reference-syntax.ts";

type CredentialReference = Reference & { readonly source: Path };

export const isCredential = (reference: Reference): reference is CredentialReference =>
	reference.source.kind === "path" && reference.source.steps[0]?.key === "credential";

/** Compiles `credential.NAME` or `credential.NAME.FIELD`. Filters are not allowed, because the value is never available here. */
export function compileCredential(
	{ source, filters }: CredentialReference,
	names: Names,
	problems: TextProblem[],
): Evaluate {
	const [root, name, field, more] = source.steps;
	const fail = (problem: Omit<TextProblem, "offset">, offset = root?.offset ?? 0): Evaluate => {
		problems.push({ ...problem, offset });
		return () => null;
	};
	if (!names.credentials) {
		return fail({
			code: "credential_not_allowed",
			message: "a credential cannot be read here: only parameters that go to an outbound call may use one",
		});
	}
	if (typeof name?.key !== "string") {
		return fail({
			code: "bad_template",
			message: "the credential's name is missing",
			hint: "write {{credential.NAME}}",
		});
	}
	const wrong = source.steps.find(({ key }) => typeof key !== "string" || isRefused(key)) ?? more;
	if (wrong !== undefined) {
		return fail(
			{ code: "bad_template", message: `${quoteSource(String(wrong.key))} cannot be read`, hint: FORM },
			wrong.offset,
		);
	}
	const [filter] = filters;
	if (filter !== undefined) {
		return fail(
			{
				code: "bad_template",
				message: `| ${filter.name} cannot be used on a credential: its value is not available until the call is sent`,
				hint: "an auth recipe can encode it: name the credential in the node's setting `credential`",
			},
			filter.offset,
		);
	}
	const [credential, part] = [name.key, field?.key as string | undefined];
	return ({ roots }) => {
		if (roots.credential === undefined) throw new TerminalError("this run has no credentials");
		return roots.credential(credential, part);
	};
}

const FORM = "write {{credential.NAME}} or {{credential.NAME.FIELD}}";
