import type { Outcome } from "../command.ts";
import type { Deployment } from "./deploy.ts";

/** The outcome of a deployment, as text and as JSON. */
export function toOutcome(deployment: Deployment, accountId: string, next: string): Outcome {
	const { version, urls, workers, migrations, seeded, problems, secretsFile } = deployment;
	const isWhole = problems.length === 0;
	const lines = [
		isWhole
			? `Tripline ${version} is deployed (${countStatuses(deployment)})`
			: `the deployment is incomplete: ${countStatuses(deployment)}`,
		"",
		...problems.flatMap(({ error, hint }) => [`  ${error}`, `    ${hint}`]),
		...(isWhole ? [] : [""]),
		`  service   ${urls.base_url}`,
		`  console   ${urls.mcp_url}/console`,
		`  mcp       ${urls.mcp_url}/mcp`,
		`  registry  ${urls.registry_url}`,
		`  secrets   ${secretsFile}`,
		...(isWhole ? ["", next] : []),
	];
	return {
		code: isWhole ? 0 : 1,
		json: {
			ok: isWhole,
			version,
			account_id: accountId,
			...urls,
			migrations,
			workers,
			seeded,
			problems,
			secrets_file: secretsFile,
		},
		text: lines.join("\n"),
	};
}

/** As in "3 deployed, 1 failed". */
function countStatuses({ workers }: Deployment): string {
	const statuses = [...new Set(workers.map(({ status }) => status))];
	return statuses
		.map((status) => `${workers.filter((worker) => worker.status === status).length} ${status}`)
		.join(", ");
}
