import type { Schema } from "./schema.ts";
import { signatureSchema, webhookProperties } from "./webhook-schema.ts";

/** Descriptions of fields, by their position in the document. */
type FieldTexts = Readonly<Record<keyof typeof DOCUMENT | keyof typeof NODE, string>> &
	Parameters<typeof webhookProperties>[0];

const TRIGGER = {
	trigger_type: { enum: ["webhook", "schedule", "event"] },
	trigger_cron: { type: "string", snippet: '"#{0 7 * * *}"' },
	trigger_timezone: { type: "string", snippet: "#{UTC}" },
	trigger_poll: {
		type: "object",
		snippet: "\n\toperation: #{1:github.list_issues}\n\tkey: #{2:id}\n\tparams:\n\t\t#{}",
	},
	trigger_poll_operation: { type: "string", snippet: "#{}" },
	trigger_poll_params: { type: "object", snippet: "\n\t#{}" },
	trigger_poll_credential: { type: "string", snippet: "#{}" },
	trigger_poll_items: { type: "string", snippet: "#{}" },
	trigger_poll_key: { type: "string", snippet: "#{id}" },
	trigger_poll_order: { enum: ["newest_first", "oldest_first"] },
	trigger_event: { type: "string", snippet: "#{order.*}" },
	trigger_email: { type: "object", snippet: "\n\tcredential: #{}" },
	trigger_email_credential: { type: "string", snippet: "#{}" },
	trigger_email_mailbox: { type: "string", snippet: "#{INBOX}" },
	trigger_email_from: { type: "string", snippet: '"#{@example.com}"' },
	trigger_email_subject: { type: "string", snippet: "#{}" },
	trigger_email_attachments: { type: "boolean" },
	trigger_email_max_size: { type: "integer", default: 26_214_400 },
	trigger_email_mark_seen: { type: "boolean" },
	trigger_email_move_to: { type: "string", snippet: "#{Done}" },
	trigger_overlap: { enum: ["allow", "skip", "queue"] },
} as const satisfies Readonly<Record<string, Schema>>;

const OPTIONS = {
	options_timeout_ms: { type: "integer", default: 5000 },
	options_concurrency: { type: "integer", default: 1 },
	options_input_schema: {
		type: "object",
		snippet: "\n\ttype: object\n\trequired: [#{name}]\n\tproperties:\n\t\t#{name}: \\{ type: string \\}",
	},
	options_output_schema: {
		type: "object",
		snippet: "\n\ttype: object\n\trequired: [#{name}]\n\tproperties:\n\t\t#{name}: \\{ type: string \\}",
	},
	options_query: { type: "boolean" },
	options_expose: { type: "boolean" },
	options_keep: { enum: ["memory", "failed", "all", "none"] },
} as const satisfies Readonly<Record<string, Schema>>;

const DOCUMENT = {
	name: { type: "string", snippet: "#{my-workflow}" },
	description: { type: "string", snippet: "#{What it does}" },
	version: { type: "string", snippet: '"#{1:1}"' },
	tags: { type: "array", snippet: "[#{}]" },
	trigger: { type: "object", snippet: "\n\ttype: #{webhook}" },
	triplets: { type: "array", snippet: "\n\t- #{input} >> #{then} >> #{node}" },
	config: { type: "object", snippet: "\n\t#{node}:\n\t\tcomponent: #{template}" },
	context: { type: "object" },
	options: { type: "object", snippet: "\n\t#{}" },
	result: { snippet: '"{{#{node}}}"' },
	...TRIGGER,
	...OPTIONS,
} as const satisfies Readonly<Record<string, Schema>>;

const NODE = {
	component: { type: "string", snippet: "#{}" },
	credential: { type: "string", snippet: "#{}" },
	retry: { type: "object", snippet: "\\{ max: #{1:2}, delay_ms: #{2:1000} \\}" },
	timeout_ms: { type: "integer", default: 10_000 },
	concurrency: { type: "integer", default: 8 },
	on_item_error: { enum: ["stop", "collect"] },
	retry_max: { type: "integer", default: 2 },
	retry_delay_ms: { type: "integer", default: 1000 },
	retry_factor: { type: "number", default: 2 },
} as const satisfies Readonly<Record<string, Schema>>;

/** Schema of a workflow document without its nodes, whose parameters depend on their components. */
export function documentSchema(text: FieldTexts): Schema {
	const field = describeFields(DOCUMENT, text);
	return {
		required: ["name", "description", "version", "triplets"],
		properties: {
			name: field("name"),
			description: field("description"),
			version: field("version"),
			tags: field("tags"),
			trigger: {
				...field("trigger"),
				required: ["type"],
				properties: {
					type: field("trigger_type"),
					cron: field("trigger_cron"),
					timezone: field("trigger_timezone"),
					poll: {
						...field("trigger_poll"),
						required: ["operation", "key"],
						properties: {
							operation: field("trigger_poll_operation"),
							params: field("trigger_poll_params"),
							credential: field("trigger_poll_credential"),
							items: field("trigger_poll_items"),
							key: field("trigger_poll_key"),
							order: field("trigger_poll_order"),
						},
					},
					event: field("trigger_event"),
					email: {
						...field("trigger_email"),
						required: ["credential"],
						properties: {
							credential: field("trigger_email_credential"),
							mailbox: field("trigger_email_mailbox"),
							from: field("trigger_email_from"),
							subject: field("trigger_email_subject"),
							attachments: field("trigger_email_attachments"),
							max_size: field("trigger_email_max_size"),
							mark_seen: field("trigger_email_mark_seen"),
							move_to: field("trigger_email_move_to"),
						},
					},
					overlap: field("trigger_overlap"),
					...webhookProperties(text),
				},
			},
			triplets: field("triplets"),
			config: field("config"),
			context: field("context"),
			result: field("result"),
			options: {
				...field("options"),
				properties: {
					timeout_ms: field("options_timeout_ms"),
					concurrency: field("options_concurrency"),
					input_schema: field("options_input_schema"),
					output_schema: field("options_output_schema"),
					query: field("options_query"),
					expose: field("options_expose"),
					keep: field("options_keep"),
					signature: signatureSchema(text, text.options_signature),
				},
			},
		},
	};
}

/** Settings that every node accepts in addition to its component's parameters. */
export function nodeSchema(text: FieldTexts): Schema {
	const field = describeFields(NODE, text);
	return {
		properties: {
			component: field("component"),
			credential: field("credential"),
			retry: {
				...field("retry"),
				required: ["max"],
				properties: {
					max: field("retry_max"),
					delay_ms: field("retry_delay_ms"),
					factor: field("retry_factor"),
				},
			},
			timeout_ms: field("timeout_ms"),
			concurrency: field("concurrency"),
			on_item_error: field("on_item_error"),
		},
	};
}

const describeFields =
	<Name extends string>(
		fields: Readonly<Record<Name, Schema>>,
		text: Readonly<Record<NoInfer<Name>, string>>,
	) =>
	(name: Name): Schema => ({ ...fields[name], description: text[name] });
