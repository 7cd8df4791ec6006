import type { Service } from "./service.ts";

export type Facts = Pick<Service, "publicUrl" | "storeUrl" | "dataFolder" | "ownerSecretFile">;

/** The text on the terminal once the service is ready. */
export function renderWelcome(service: Facts, version: string): string {
	const seconds = (performance.now() / 1000).toFixed(2);
	const workflow = JSON.stringify({
		triplets: ["input >> then >> greet"],
		config: { greet: { component: "template", text: "Hello {{input.name}}" } },
	});
	return `
Tripline ${version} is ready (${seconds} s)

  service  ${service.publicUrl}
  console  ${service.publicUrl}/console
  docs     ${service.publicUrl}/docs
  mcp      ${service.publicUrl}/mcp
  store    ${service.storeUrl}
  data     ${service.dataFolder}
${renderOwnerSecret(service)}
Try it:
  curl ${service.publicUrl}/webhooks -d '${workflow}'
  curl <the webhook_url it answers> -d '{"name":"Ada"}'

`;
}

/** Shows only the file's path, because terminal output is often stored. */
const renderOwnerSecret = ({ ownerSecretFile }: Facts): string =>
	ownerSecretFile === null
		? ""
		: `  secret   ${ownerSecretFile} (enter it to log in to the console or to connect an assistant)\n`;
