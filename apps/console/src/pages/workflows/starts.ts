import type { JsonObject } from "../../api/types.ts";

/** Example workflows. Their texts are content, not part of the interface, so they are not translated. */
const STARTS = {
	greeting: `name: greet
description: Greets a person by name
version: "1"
trigger: { type: webhook, accept: [json] }
triplets:
  - input >> then >> hello
config:
  hello:
    component: template
    text: 'Hello {{input.name | default("world")}}!'
`,
	schedule: `name: morning check
description: Requests a URL every morning and reports its status
version: "1"
trigger:
  type: schedule
  cron: 0 7 * * *
  timezone: ZONE
triplets:
  - input >> then >> check
  - check >> ON_SUCCESS >> report
  - check >> ON_FAIL >> report failure
config:
  check:
    component: http_request
    url: https://example.com/
    retry: { max: 2, delay_ms: 1000 }
  report:
    component: template
    text: "Status {{check.status}}"
  report failure:
    component: template
    text: The URL could not be reached
`,
	loop: `name: price orders
description: Calculates the price of each order and the total
version: "1"
trigger: { type: webhook, accept: [json] }
triplets:
  - orders >> FOREACH order >> price
  - orders >> then >> total
config:
  orders:
    component: foreach
    items: "{{input.orders}}"
    concurrency: 4
  price:
    component: code
    input: "{{order}}"
    code: |
      return { name: input.name, sum: input.each * input.count };
  total:
    component: aggregate
    items: "{{price}}"
    compute: { orders: count(), sum: sum(item.sum) }
options:
  input_schema:
    type: object
    required: [orders]
    properties:
      orders:
        type: array
        items:
          type: object
          required: [name, each, count]
          properties:
            name: { type: string, examples: [tea] }
            each: { type: number, examples: [4] }
            count: { type: integer, examples: [2] }
`,
} as const;

export type Start = keyof typeof STARTS;
export const START_IDS = Object.keys(STARTS) as readonly Start[];

/** The text of an example with the user's time zone. Unknown IDs return the first example. */
export function getStartText(id: string | null, zone: string): string {
	const text: string = STARTS[START_IDS.find((each) => each === id) ?? "greeting"];
	return text.replace("ZONE", zone);
}

/** An input for the first run of an example. */
export function getStartInput(id: string | null): JsonObject {
	if (id === "schedule") return {};
	if (id !== "loop") return { name: "Ada" };
	return {
		orders: [
			{ name: "tea", each: 4, count: 2 },
			{ name: "pot", each: 30, count: 1 },
		],
	};
}
