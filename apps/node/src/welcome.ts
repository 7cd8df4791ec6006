import type { Service } from "./service.ts";

/** What a person sees once the service can be called. */
export function welcome(service: Service, version: string): string {
	const seconds = (performance.now() / 1000).toFixed(2);
	const body = JSON.stringify({
		owner_id: "default",
		entry_type: "note",
		page_name: "hello",
		content: "My first entry",
	});
	return `
Tripline ${version} is ready (${seconds} s)

  service  ${service.publicUrl}
  store    ${service.storeUrl}
  docs     ${service.storeUrl}/docs
  data     ${service.dataFolder}

Try it:
  curl -X PUT ${service.storeUrl}/entries -H 'content-type: application/json' \\
    -d '${body}'
  curl '${service.storeUrl}/entries?owner_id=default'

`;
}
