import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";

const ANSWER_TIMEOUT_MS = 60_000;

/** Seeds the bundled recipes with one call to the executor. */
export async function seed(io: Io, baseUrl: string, accessToken: string): Promise<unknown> {
	const request = new Request(`${baseUrl}/init/seed`, {
		method: "POST",
		headers: { authorization: `Bearer ${accessToken}` },
	});
	const hint = "everything else is deployed: run this again";
	const response = await io
		.fetch(request, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
		.catch((error: Error) => {
			throw new CliProblem(`the recipes could not be seeded: ${baseUrl} does not answer (${error.message})`, {
				hint,
			});
		});
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	if (response.status === 401)
		throw new CliProblem(
			"the recipes could not be seeded: the executor has a different SERVICE_ACCESS_TOKEN",
			{
				hint: "set SERVICE_ACCESS_TOKEN to the executor's token, in the environment or in .env, and run this again",
			},
		);
	throw new CliProblem(
		`the recipes could not be seeded: ${baseUrl}/init/seed answers ${response.status}: ${text.slice(0, 200)}`,
		{ hint },
	);
}
