/** The workflow language for models, as short as possible. The tests compile its examples. */
export const LANGUAGE_GUIDE = `# The Tripline workflow language

A workflow is a graph. Nodes run components; edges are triplets, subject >> relation >> object: the object may start once the subject has ended as the relation says. A document, as JSON or YAML:

~~~yaml
name: order totals
description: Adds up paid orders and says how the day was
version: "1"
trigger: { type: webhook, accept: [json] }
context: { goal: 100 }
options:
  expose: true
  input_schema:
    type: object
    required: [orders]
    properties: { orders: { type: array } }
triplets:
  - input >> then >> paid
  - paid >> then >> total
  - total >> then >> good day
  - good day >> if true >> praise
  - good day >> if false >> comfort
config:
  paid: { component: filter, items: "{{input.orders}}", where: item.paid }
  total: { component: aggregate, items: "{{paid}}", compute: { sum: sum(item.total), orders: count() } }
  good day: { component: if, condition: total.sum >= context.goal }
  praise: { component: template, text: "{{total.sum | round(2)}} from {{total.orders}} orders" }
  comfort: { component: template, text: "Only {{total.sum}}" }
~~~

## Document
Required: name (1-128 characters, any script, no /), description (searched) and version (text). tags: list. triplets (or flow): the edges. config: node name to settings. context: variables. result: what a run returns, any JSON with templates. trigger: see below. options:
- timeout_ms: a shorter deadline
- concurrency: maximum number of concurrent runs; further runs wait
- input_schema: JSON Schema of the input, without pattern and if; other input is rejected
- output_schema: JSON Schema of the data; a run whose data does not match fails
- keep: failed or all stores what nodes received and gave for 7 days; none keeps nothing
- expose: true makes it a tool for assistants
- query: true lets anyone call GET /q/{namespace}/{name}
- signature: { scheme, credential }: calls must be signed; scheme is standard-webhooks, github, stripe, slack, shopify, twilio, discord, meta, linear, zoom, square, typeform, gitlab, telegram, hmac-sha256 or custom; credential of type signing_secret

## Relations
- ON_SUCCESS (then, 完成後): the subject succeeded
- ON_FAIL (on error, 失敗時): it failed after all retries; this handles the failure
- ALWAYS (finally): it ended either way; a failure remains one
- ON_TRUE (if true), ON_FALSE (if false): its output is true or false
- CASE value: its output is that value, compared as text
- DEFAULT: no CASE matches
- ON_WAIT (while waiting, 等待時): it has begun to wait; after ask, {{its name.url}} is the page to send to whoever answers
- FOREACH name (for each, 對每個): once for each element of its list
- REPEAT name (重複): from a repeat node, turn after turn until its condition is true

input is the trigger; its only relation is then. Independent nodes run in parallel. A node starts once, when all edges into it are settled and at least one was taken; other branches are skipped.

## Nodes
component names what runs; the other keys are its parameters. A node named like a component needs no component key. Settings beside the parameters: retry: { max, delay_ms, factor }, timeout_ms (of one attempt), credential, and for loops concurrency (1-64, default 8) and on_item_error (stop or collect).

## Templates
In any string parameter {{path}} is a value: {{input.a.b}}, {{node.field}}, {{nodes["my node"].list[0]}} for names that are not one plain word, {{context.x}}, loop elements {{order}} and {{order_index}}, {{workflow.name}} (version), {{execution.id}} (time, trigger), {{request.query.x}} (method, headers; of a webhook call). A string that is one reference keeps the value's type. A missing value fails the node unless default is given. Templates do not compute: use a node compute. Filters: {{input.name | trim | upper}}
- any: default(x) (x a constant or a reference; chains), json, text, parse_json (of text)
- text: trim, upper, lower, replace(a, b), split(sep), number, html (escapes), url, base64, from_base64, sha256
- lists: join(sep), first, last, slice(from, to), length (both of text too), unique, pluck(name), named(x) (of { name, value }), sum, min, max
- objects: keys, entries
- other: round(digits), date("YYYY-MM-DD HH:mm") (UTC)

## Expressions
condition of if, values of compute, when of switch, where of filter, value of map, by of sort, group_by and compute of aggregate are CEL, without braces: input.total > 100 && !has(input.note), x in list, a ? b : c, size(), contains(), startsWith(), replace(), split(), list.exists(x, x > 1), list.map(x, x.id), string(), int(), round(x, 2), timestamp(t) + duration("7d"). Elements are item and index. Numbers are JSON numbers: 7 / 2 is 3.5. matches is not supported.
In YAML quote expressions that contain ": " or start with a quote, !, { or [.

## Components
get_component returns their parameters.
- flow: if (condition), switch (value or cases: [{ label, when }]; the first that holds), foreach (items), repeat (until, max, delay_ms), wait (ms, for or until), ask (question, fields, show, expires, to; waits for a person, whose answer is the output), wait_for (event, where, expires; the event is the output, and item in where), fail (message), respond (status, headers, body, type, redirect; for queries and answer: respond), workflow (name, input), emit_event (type, data)
- data: set (values), template (text), compute (values: name to expression), filter (items, where), map (items, value), sort (items, by, order), aggregate (items, compute, group_by), merge (values), parse (format: json, csv, xml, html, xlsx, pdf, docx, zip and others; text, or file instead), datetime (operation: now, parse, format, add, diff, start_of, end_of or week; value, timezone, unit), crypto (operation), code (code: body of a JavaScript function that sees only input and returns JSON; no network; input: { x: "{{...}}" })
- outside: http_request (method, url, query, headers, json, paginate; returns status, headers, data), llm_chat (model, prompt, system, schema, provider; returns text, json), agent (model, prompt, instructions, tools: [{ workflow }, { tag }, { component, params }], approve, memory: { key }, citations; returns text), embed (model, input), google_sheets_rows (action, spreadsheet_id, sheet, rows, match, where), sql_query (sql, params; sql is literal; returns rows), email_send (from, to, subject, text, html, attachments), and the tools of MCP servers as mcp:<server>.<tool>
- knowledge: kb_search (q), kb_get (page_name, entry_type; null if none), kb_upsert (page_name, content, entry_type, metadata), kb_delete (page_name, entry_type), kb_list (entry_type, metadata, order, limit; returns entries), kb_ingest_triplet (subject, predicate, object, source), kb_neighbors (name), kb_why (subject, predicate, object), record_save (template, values, slots), record_list (template, values; returns records)
- state between runs: state_get (name, default; returns value, exists), state_set (name, value, ttl_seconds, if_absent; returns value, previous, and stored, true for exactly one run), state_increment (name, by; returns value)
- files: values { "$file", name, type, size }, passed whole, such as file: "{{made}}"; a property of input_schema with type: object and format: file takes one. make_file (name, rows, text, data or files), file_keep (file, name), file_list (name, prefix; returns files, file), file_delete (name), file_link (file, minutes; returns url), folder (action, path; only where the operator allows it). http_request has file and response: file, respond has file. A file that is not kept expires after a day
- services: recipes' operations such as github.create_issue or slack.post_message, and installed components: list_components. An operation with the parameter paginate returns one page, or with paginate: all (or a number of items) the list of items

## Loops
list >> FOREACH order >> a runs a, and nodes reached only through a, once for each element. No other edge enters or leaves the body. Nodes after the loop start at the list, list >> then >> after; there {{a}} is the list of all outputs of a. With on_item_error: collect a failed element yields { error }.

poll >> REPEAT turn >> check, with poll: { component: repeat, until: check.data.done, max: 20, delay_ms: 500 }, repeats check and what follows it. There {{turn}} counts from 0, and {{turn_last.check | default(null)}} is the turn before; afterwards {{check}} is the last turn. ON_FAIL of poll handles a failed turn, and max.

~~~yaml
name: morning prices
description: Notes the prices of a few goods every working day
version: "1"
trigger: { type: schedule, cron: 30 6 * * 1-5, timezone: Europe/Paris }
triplets:
  - goods >> FOREACH good >> ask
  - ask >> then >> note
  - ask >> ON_FAIL >> missing
  - goods >> then >> done
config:
  goods: { component: foreach, items: [tea, rice], concurrency: 2 }
  ask:
    component: http_request
    url: "https://prices.example.com/v1/{{good | url}}"
    attempts: 3
    timeout_ms: 5000
  note: { component: kb_upsert, entry_type: price, page_name: "{{good}}", content: "{{ask.data | json}}" }
  missing: { component: template, text: "no price for {{good}}" }
  done: { component: set, values: { notes: "{{note}}", failures: "{{missing}}" } }
~~~

## Failures
A failed node fails the run unless an ON_FAIL edge handles it. retry does not repeat permanent errors. Limits: 1 MiB per node output, 1,000 nodes per workflow, 10,000 steps per run.
A run ends after 30 s by default; options.timeout_ms can only lower it. timeout_ms of a node is for one attempt; code has 2 s without it.

## Triggers
- { type: webhook }: any named workflow can be called at its webhook_url; input is the JSON body. Keys:
  - accept: [json] refuses other bodies; also form, files, text (input.text). methods: [GET]: input is the query
  - auth: { scheme: bearer, basic or header, credential }; signature as in options; handshake: slack (discord, zoom, meta)
  - answer: respond: the node respond shapes the response. cors: [origins]
  - form: { title, submit, done }: a page at /f/{namespace}/{name} with the fields of input_schema
  - chat: { access: token, owner or public, daily_tokens }: a page to talk to it; input is { message, messages, conversation, files }, the reply is its text
- { type: schedule, cron, timezone }: five fields or @daily; IANA timezone; input.scheduled_at
  - poll: { operation: github.list_issues, params: { ..., paginate: 100 }, credential, key: id }: each new item of its list (at the path items) is the input of a run
- { type: event, event: order.* }: input.type, input.data; from emit_event or POST /events
- { type: event, email: { credential } }: a run per mail; input.from.address, subject, text, attachments
- any of them with overlap: skip (none while one runs) or queue (one after another)

~~~yaml
name: sort mail
description: Decides what a customer wants and tells the right workflow
version: "1"
trigger: { type: event, event: mail.received }
triplets:
  - input >> then >> ask
  - ask >> then >> intent
  - intent >> CASE cancel >> cancel
  - intent >> DEFAULT >> keep
config:
  ask:
    component: llm_chat
    model: gpt-5-mini
    prompt: "What does this customer want? {{input.data.text}}"
    schema:
      type: object
      required: [intent]
      properties: { intent: { enum: [cancel, other] } }
      additionalProperties: false
    credential: openai
  intent: { component: switch, value: "{{ask.json.intent}}" }
  cancel: { component: emit_event, type: order.cancel, data: { from: "{{input.data.from}}" } }
  keep: { component: kb_upsert, entry_type: mail, page_name: "{{execution.id}}", content: "{{input.data.text}}" }
~~~

## Often missed
- Skipped nodes: a node of a branch that was not taken, or that failed and was handled, has no output. After branches join, read it with {{a.x | default("")}}, or has(a.x) in expressions.
- code: its input is the parameter input of the node, {} if it is not set, not the trigger: input: { order: "{{input.order}}" }, then input.order in the code.
- http_request: the body is in data: {{call.data.items}}. Paths in paginate start in the body, without data.
- Recursion: workflow may call any workflow of the namespace, itself too, at most 8 deep; all calls share the deadline and the steps of the first run. Events that cause events stop after 4.
- System events, as a trigger with input.type and input.data: execution.failed (data: workflow, execution_id, error), to send an alert; credential.sign_in_required; entry.upserted (id, entry_type, page_name, created); triplet.ingested (action, subject, predicate, object, source_uri). They are raised for every run, entry and triplet of the namespace: check data first, and let an error workflow not fail itself.
- Choosing the result: if a run ends in a loop or in one of several branches, set result at the top level of the document: result: '{{a.x | default(b.x)}}'

## Credentials
Never write a secret into a workflow; use a stored credential: credential: NAME on the node, or {{credential.NAME.FIELD}} in parameters of http_request, llm_chat and embed. It takes no filters and cannot be read in expressions. The user adds a missing one in the console: Credentials > Add credential, with the type that get_component returns in auth_recipes.

## Result
success, execution_id, data (the document's result if it has one, else the last node's output, or an object by name if several ended the run), error ("node: message"), nodes (the trace).

## Diagnostics and what to do
- bad_triplet, unknown_relation, duplicate_edge: three parts separated by >>
- unknown_component, unknown_parameter, missing_parameter, wrong_type, missing_field: see get_component
- unknown_reference: no such node; names with spaces are nodes["my node"]
- unreachable_reference: add an edge
- bad_template: no computation in braces; bad_expression: no braces in CEL
- cycle: repeat with FOREACH or REPEAT; loop_leak: nodes after a loop start at the list
- bad_edge: branch in an if node, not at input; REPEAT needs a repeat node, which has exactly one; unhandled_case: add a CASE or DEFAULT edge
- no_effect, runs_for_each, ends_in_loop: warnings; move the setting or the node out of the loop, set result
- reserved_name: rename the node
- unused_settings, no_nodes, duplicate_node: each node of config in a triplet, once
- unknown_field, bad_field, bad_yaml, duplicate_key, too_large, cut_by_comment, missing_space, bad_code, bad_step, unreachable_timeout, timeout_not_allowed, unknown_workflow, repeated_attempts, unavailable: see the hint
- may_be_skipped: add a default; unknown_global, missing_input: code sees only its input
- bad_cron, bad_timezone, bad_poll, bad_event, bad_email, bad_webhook, never_fires: fix the trigger
- credential_not_allowed: use the setting credential; missing_credential: a warning, the owner must store it; wrong_credential: another type is needed
`;
