begin;
CREATE TABLE migrations (version integer primary key, name text not null) strict;
CREATE TABLE templates (
	seq integer primary key,
	id text not null unique,
	owner_id text not null,
	name text not null,
	slots_json text not null,
	created_at integer not null,
	updated_at integer not null,
	unique (owner_id, name)
) strict;
CREATE TABLE entries (
	seq integer primary key,
	id text not null unique,
	entry_type text not null,
	owner_id text not null,
	page_name text not null,
	content text not null,
	metadata_json text not null,
	created_at integer not null,
	updated_at integer not null,
	upsert_key text,
	template_id text references templates (id),
	schedule text,
	next_run_at integer
, listens text) strict;
CREATE UNIQUE INDEX entries_upsert on entries (upsert_key) where upsert_key is not null;
CREATE INDEX entries_page on entries (owner_id, entry_type, page_name, created_at);
CREATE INDEX entries_owner_type on entries (owner_id, entry_type, created_at);
CREATE INDEX entries_due on entries (next_run_at) where next_run_at is not null;
CREATE INDEX entries_failures on entries (owner_id, created_at)
	where entry_type = 'execution_log' and json_extract(metadata_json, '$.verdict') = 'failed';
CREATE VIRTUAL TABLE search using fts5 (
	terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE TABLE search_state (
	id integer primary key check (id = 1),
	version integer not null,
	swept_to integer
) strict;
CREATE TRIGGER entries_search_deleted after delete on entries when old.entry_type <> 'execution_log' begin
	delete from search where rowid in (old.seq, -old.seq); end;
CREATE TRIGGER entries_search_changed after update of content on entries when new.content is not old.content begin
	delete from search where rowid = old.seq; end;
CREATE TRIGGER entries_search_retired after update of metadata_json on entries
	when new.entry_type = 'triplet' and json_extract(new.metadata_json, '$.status') = 'deprecated' begin
	delete from search where rowid = old.seq; end;
CREATE TABLE sources (
	id integer primary key,
	owner_id text not null,
	uri text not null,
	hash text not null,
	anchor text not null,
	block_id text not null,
	unique (owner_id, uri, hash, anchor, block_id)
) strict;
CREATE TABLE triplets (
	seq integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	subject text not null,
	predicate text not null,
	object text not null,
	uri text not null,
	source integer not null references sources (id),
	active integer not null
) strict;
CREATE INDEX triplets_subject on triplets (owner_id, subject, active, predicate, source);
CREATE INDEX triplets_object on triplets (owner_id, object, active, predicate, source);
CREATE INDEX triplets_uri on triplets (owner_id, uri, active);
CREATE INDEX entries_entities on entries (upsert_key) where entry_type = 'entity';
CREATE TABLE embed_generations (
	id integer primary key autoincrement,
	provider text not null,
	model text not null,
	dimensions integer,
	vector_index text not null,
	swept_to integer
) strict;
CREATE TABLE embeddings (
	entry integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	entry_type text not null,
	revision integer not null,
	due_at integer,
	attempts integer not null default 0,
	error text,
	failed_at integer,
	text_hash text,
	generation integer,
	vector blob,
	visible_at integer,
	block integer,
	position integer,
	external_id text
) strict;
CREATE INDEX embeddings_due on embeddings (due_at) where due_at is not null;
CREATE INDEX embeddings_loose on embeddings (owner_id, visible_at) where vector is not null;
CREATE INDEX embeddings_unsent on embeddings (entry) where vector is not null and visible_at is null;
CREATE INDEX embeddings_place on embeddings (block, position) where block is not null;
CREATE TABLE vector_blocks (
	id integer primary key autoincrement,
	owner_id text not null,
	entry_type text not null,
	generation integer not null,
	stride integer not null,
	capacity integer not null,
	live integer not null,
	vectors blob not null
) strict;
CREATE INDEX vector_blocks_owner on vector_blocks (owner_id, generation);
CREATE INDEX vector_blocks_sparse on vector_blocks (id) where live < capacity / 2;
CREATE TABLE vector_removals (external_id text primary key) strict, without rowid;
CREATE TRIGGER entries_embed_new after insert on entries
	when new.template_id is null and new.entry_type <> 'execution_log' and instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '') begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, abs(random() % 1000000000000), new.updated_at); end;
CREATE TRIGGER entries_embed_changed after update of content, metadata_json on entries
	when new.template_id is null and new.entry_type <> 'execution_log' and instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '') begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, abs(random() % 1000000000000), new.updated_at)
	on conflict (entry) do update set
		revision = revision + 1, due_at = excluded.due_at, attempts = 0, error = null, failed_at = null
	where new.content is not old.content; end;
CREATE TRIGGER entries_embed_lost after update of metadata_json on entries
	when instr(old.metadata_json, 'embed"') > 0 and not (instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '')) begin
	delete from embeddings where entry = new.seq; end;
CREATE TRIGGER embeddings_left_block after update of block on embeddings
	when old.block is not null and new.block is null and new.vector is null begin
	update vector_blocks set live = live - 1, vectors = cast(
		substr(vectors, 1, old.position * stride) || zeroblob(stride) || substr(vectors, (old.position + 1) * stride + 1)
	as blob) where id = old.block; delete from vector_blocks where id = old.block and live = 0; end;
CREATE TRIGGER embeddings_deleted_placed after delete on embeddings when old.block is not null begin
	update vector_blocks set live = live - 1, vectors = cast(
		substr(vectors, 1, old.position * stride) || zeroblob(stride) || substr(vectors, (old.position + 1) * stride + 1)
	as blob) where id = old.block; delete from vector_blocks where id = old.block and live = 0; end;
CREATE TRIGGER embeddings_deleted_sent after delete on embeddings when old.external_id is not null begin
	insert into vector_removals (external_id) values (old.external_id) on conflict do nothing; end;
CREATE INDEX entries_listens on entries (owner_id, created_at) where listens is not null;
CREATE TABLE counters (name text primary key, value integer not null) strict, without rowid;
CREATE TRIGGER entries_scheduled_new after insert on entries when new.schedule is not null begin
	update counters set value = value + 1 where name = 'scheduled'; end;
CREATE TRIGGER entries_scheduled_changed after update of schedule on entries
	when (new.schedule is null) <> (old.schedule is null) begin
	update counters set value = value + iif(new.schedule is null, -1, 1) where name = 'scheduled'; end;
CREATE TRIGGER entries_scheduled_deleted after delete on entries when old.schedule is not null begin
	update counters set value = value - 1 where name = 'scheduled'; end;
CREATE INDEX entries_owner on entries (owner_id, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';
CREATE INDEX entries_type on entries (entry_type, created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';
CREATE INDEX entries_newest on entries (created_at)
	where entry_type <> 'execution_log' and entry_type <> 'triplet' and entry_type <> 'occurrence'
	and entry_type <> 'idempotency' and entry_type <> 'event_seen' and entry_type <> 'accepted_run';
CREATE INDEX entries_upcoming on entries (owner_id, next_run_at) where schedule is not null;
insert into migrations (version, name) values (1, 'core');
insert into migrations (version, name) values (2, 'search');
insert into migrations (version, name) values (3, 'triplets');
insert into migrations (version, name) values (4, 'vectors');
insert into migrations (version, name) values (5, 'executor');
insert into migrations (version, name) values (6, 'upcoming');
insert into search_state (id, version, swept_to) values (1, 1, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (1, '01a1e514-7fea-79e5-9a17-603e41c22a73', 'workflow', 'default', 'welcome', 'Greets a new customer', '{"graph":{"nodes":[{"id":"greet","component":"template","params":{"text":"{{context.greeting}} {{input.name}}, from {{workflow.name}} {{workflow.version}}"}}],"edges":[{"from":"input","to":"greet","on":"ON_SUCCESS"}]},"config":{"version":"1.2","trigger":{"type":"webhook"},"nodes":{"greet":{"component":"template","text":"{{context.greeting}} {{input.name}}, from {{workflow.name}} {{workflow.version}}"}},"context":{"greeting":"Hello"},"options":{"timeout_ms":5000,"input_schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}},"source":{"triplets":["input >> then >> greet"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: welcome\ndescription: Greets a new customer\nversion: \"1.2\"\ntrigger: { type: webhook }\ncontext:\n  greeting: Hello\noptions:\n  timeout_ms: 5000\n  input_schema:\n    type: object\n    required: [name]\n    properties: { name: { type: string } }\ntriplets:\n  - input >> then >> greet\nconfig:\n  greet:\n    component: template\n    text: \"{{context.greeting}} {{input.name}}, from {{workflow.name}} {{workflow.version}}\"\n","of":"6693d5f4995c9c4a894de91671c63353ad4f8f4f13997341d9b56a7d0eb325b7"}}', 1794844688, 1794844688, 'default
workflow
welcome', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (2, '01a1e514-8802-70e5-b2d4-816e7d968392', 'workflow', 'default', 'weather', 'd', '{"graph":{"nodes":[{"id":"s","component":"set","params":{"values":{"city":"{{input.city}}","degrees":21}}}],"edges":[{"from":"input","to":"s","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":null,"nodes":{"s":{"component":"set","values":{"city":"{{input.city}}","degrees":21}}},"context":{},"options":{},"source":{"triplets":["input >> ON_SUCCESS >> s"]}},"cron_expr":null,"embed":true}', 1794844690, 1794844690, 'default
workflow
weather', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (3, '01a1e514-882f-7e7d-8b0e-e5fc7c22a4e9', 'workflow', 'default', 'daily report', 'd', '{"graph":{"nodes":[{"id":"s","component":"set","params":{"values":{"sent":true}}}],"edges":[{"from":"input","to":"s","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":null,"nodes":{"s":{"component":"set","values":{"sent":true}}},"context":{},"options":{},"source":{"triplets":["input >> ON_SUCCESS >> s"]}},"cron_expr":null,"embed":true}', 1794844690, 1794844690, 'default
workflow
daily report', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (4, '01a1e512-fae4-72ab-8ec9-9f86efcb1cd7', 'workflow', 'default', 'order totals', 'Prices an order, with a discount by plan and shipping by country', '{"graph":{"nodes":[{"id":"plan","component":"template","params":{"text":"{{input.plan | default(\"free\")}}"}},{"id":"subtotal","component":"aggregate","params":{"items":"{{input.lines}}","compute":{"amount":"sum(round(item.price * item.count, 2))"}}},{"id":"country","component":"switch","params":{"value":"{{input.country}}"}},{"id":"at home","component":"set","params":{"values":{"shipping":0}}},{"id":"abroad","component":"set","params":{"values":{"shipping":15}}},{"id":"invoice","component":"aggregate","params":{"items":["{{subtotal.amount}}"],"compute":{"subtotal":"first(item)","discount":"first(round(item * context.discounts[plan] / 100, 2))","shipping":"first(has(abroad) ? abroad.shipping : nodes[\"at home\"].shipping)"}}},{"id":"is large","component":"if","params":{"condition":"invoice.subtotal - invoice.discount > context.large"}},{"id":"ask a person","component":"merge","params":{"values":["{{invoice}}",{"decision":"ask"}]}},{"id":"accept","component":"merge","params":{"values":["{{invoice}}",{"decision":"accept"}]}}],"edges":[{"from":"plan","to":"subtotal","on":"ON_SUCCESS"},{"from":"subtotal","to":"country","on":"ON_SUCCESS"},{"from":"country","to":"at home","on":"CASE","value":"FR"},{"from":"country","to":"abroad","on":"DEFAULT"},{"from":"at home","to":"invoice","on":"ON_SUCCESS"},{"from":"abroad","to":"invoice","on":"ON_SUCCESS"},{"from":"invoice","to":"is large","on":"ON_SUCCESS"},{"from":"is large","to":"ask a person","on":"ON_TRUE"},{"from":"is large","to":"accept","on":"ON_FALSE"}]},"config":{"version":"1","trigger":{"type":"webhook"},"nodes":{"plan":{"component":"template","text":"{{input.plan | default(\"free\")}}"},"subtotal":{"component":"aggregate","items":"{{input.lines}}","compute":{"amount":"sum(round(item.price * item.count, 2))"}},"country":{"component":"switch","value":"{{input.country}}"},"at home":{"component":"set","values":{"shipping":0}},"abroad":{"component":"set","values":{"shipping":15}},"invoice":{"component":"aggregate","items":["{{subtotal.amount}}"],"compute":{"subtotal":"first(item)","discount":"first(round(item * context.discounts[plan] / 100, 2))","shipping":"first(has(abroad) ? abroad.shipping : nodes[\"at home\"].shipping)"}},"is large":{"component":"if","condition":"invoice.subtotal - invoice.discount > context.large"},"ask a person":{"component":"merge","values":["{{invoice}}",{"decision":"ask"}]},"accept":{"component":"merge","values":["{{invoice}}",{"decision":"accept"}]}},"context":{"large":1000,"discounts":{"free":0,"pro":10,"team":20}},"options":{},"source":{"triplets":["plan >> then >> subtotal","subtotal >> then >> country","country >> CASE FR >> at home","country >> DEFAULT >> abroad","at home >> then >> invoice","abroad >> then >> invoice","invoice >> then >> is large","is large >> if true >> ask a person","is large >> if false >> accept"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: order totals\ndescription: Prices an order, with a discount by plan and shipping by country\nversion: \"1\"\ntrigger: { type: webhook }\ntriplets:\n  - plan >> then >> subtotal\n  - subtotal >> then >> country\n  - country >> CASE FR >> at home\n  - country >> DEFAULT >> abroad\n  - at home >> then >> invoice\n  - abroad >> then >> invoice\n  - invoice >> then >> is large\n  - is large >> if true >> ask a person\n  - is large >> if false >> accept\nconfig:\n  plan:\n    component: template\n    text: ''{{input.plan | default(\"free\")}}''\n  subtotal:\n    component: aggregate\n    items: \"{{input.lines}}\"\n    compute:\n      amount: sum(round(item.price * item.count, 2))\n  country:\n    component: switch\n    value: \"{{input.country}}\"\n  at home:\n    component: set\n    values: { shipping: 0 }\n  abroad:\n    component: set\n    values: { shipping: 15 }\n  invoice:\n    component: aggregate\n    items: [\"{{subtotal.amount}}\"]\n    compute:\n      subtotal: first(item)\n      discount: first(round(item * context.discounts[plan] / 100, 2))\n      shipping: ''first(has(abroad) ? abroad.shipping : nodes[\"at home\"].shipping)''\n  is large:\n    component: if\n    condition: invoice.subtotal - invoice.discount > context.large\n  ask a person:\n    component: merge\n    values: [\"{{invoice}}\", { decision: ask }]\n  accept:\n    component: merge\n    values: [\"{{invoice}}\", { decision: accept }]\ncontext:\n  large: 1000\n  discounts: { free: 0, pro: 10, team: 20 }\n","of":"fc2df79489296b0b7692833aa119122a4400bd2bff19ecf930cbb7bfdd1a0faa"}}', 1794844588, 1794844588, 'default
workflow
order totals', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (5, '01a1e512-0d91-73d2-a32e-bc752dfd2155', 'workflow', 'default', 'sales report', 'Groups a CSV of sales by city and stores the report', '{"graph":{"nodes":[{"id":"rows","component":"parse","params":{"format":"csv","text":"{{input.csv}}"}},{"id":"by city","component":"aggregate","params":{"items":"{{rows}}","group_by":"item.city.trim()","compute":{"orders":"count()","turnover":"sum(double(item.total))"}}},{"id":"ranked","component":"sort","params":{"items":"{{nodes[\"by city\"]}}","by":"item.turnover","order":"desc"}},{"id":"line","component":"template","params":{"text":"{{row_index}}. {{row.key}}: {{row.turnover | round(2)}} ({{row.orders}} orders)"}},{"id":"report","component":"template","params":{"text":"Sales on {{execution.time | date(\"DD.MM.YYYY\")}}\n{{line | join(\"\n\")}}\n"}},{"id":"stored","component":"kb_upsert","params":{"entry_type":"report","page_name":"Sales {{execution.time | date(\"YYYY-MM-DD\")}}","content":"{{report}}","metadata":{"cities":"{{ranked | length}}"}}},{"id":"answer","component":"set","params":{"values":{"page":"{{stored.entry.page_name}}","cities":"{{ranked}}"}}}],"edges":[{"from":"rows","to":"by city","on":"ON_SUCCESS"},{"from":"by city","to":"ranked","on":"ON_SUCCESS"},{"from":"ranked","to":"line","on":"FOREACH","as":"row"},{"from":"ranked","to":"report","on":"ON_SUCCESS"},{"from":"report","to":"stored","on":"ON_SUCCESS"},{"from":"stored","to":"answer","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":{"type":"webhook"},"nodes":{"rows":{"component":"parse","format":"csv","text":"{{input.csv}}"},"by city":{"component":"aggregate","items":"{{rows}}","group_by":"item.city.trim()","compute":{"orders":"count()","turnover":"sum(double(item.total))"}},"ranked":{"component":"sort","items":"{{nodes[\"by city\"]}}","by":"item.turnover","order":"desc"},"line":{"component":"template","text":"{{row_index}}. {{row.key}}: {{row.turnover | round(2)}} ({{row.orders}} orders)"},"report":{"component":"template","text":"Sales on {{execution.time | date(\"DD.MM.YYYY\")}}\n{{line | join(\"\n\")}}\n"},"stored":{"component":"kb_upsert","entry_type":"report","page_name":"Sales {{execution.time | date(\"YYYY-MM-DD\")}}","content":"{{report}}","metadata":{"cities":"{{ranked | length}}"}},"answer":{"component":"set","values":{"page":"{{stored.entry.page_name}}","cities":"{{ranked}}"}}},"context":{},"options":{"input_schema":{"type":"object","required":["csv"],"properties":{"csv":{"type":"string"}}}},"source":{"triplets":["rows >> then >> by city","by city >> then >> ranked","ranked >> FOREACH row >> line","ranked >> then >> report","report >> then >> stored","stored >> then >> answer"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: sales report\ndescription: Groups a CSV of sales by city and stores the report\nversion: \"1\"\ntrigger: { type: webhook }\noptions:\n  input_schema:\n    type: object\n    required: [csv]\n    properties: { csv: { type: string } }\ntriplets:\n  - rows >> then >> by city\n  - by city >> then >> ranked\n  - ranked >> FOREACH row >> line\n  - ranked >> then >> report\n  - report >> then >> stored\n  - stored >> then >> answer\nconfig:\n  rows:\n    component: parse\n    format: csv\n    text: \"{{input.csv}}\"\n  by city:\n    component: aggregate\n    items: \"{{rows}}\"\n    group_by: item.city.trim()\n    compute:\n      orders: count()\n      turnover: sum(double(item.total))\n  ranked:\n    component: sort\n    items: ''{{nodes[\"by city\"]}}''\n    by: item.turnover\n    order: desc\n  line:\n    component: template\n    text: \"{{row_index}}. {{row.key}}: {{row.turnover | round(2)}} ({{row.orders}} orders)\"\n  report:\n    component: template\n    text: |\n      Sales on {{execution.time | date(\"DD.MM.YYYY\")}}\n      {{line | join(\"\n      \")}}\n  stored:\n    component: kb_upsert\n    entry_type: report\n    page_name: ''Sales {{execution.time | date(\"YYYY-MM-DD\")}}''\n    content: \"{{report}}\"\n    metadata: { cities: \"{{ranked | length}}\" }\n  answer:\n    component: set\n    values: { page: \"{{stored.entry.page_name}}\", cities: \"{{ranked}}\" }\n","of":"cbfee4aa6932535a760c9332febae80aea293b581f1055fb092c58b46c3a4d3a"}}', 1794844528, 1794844528, 'default
workflow
sales report', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (6, '01a1e512-8763-7729-80c8-be8a2651d106', 'workflow', 'default', 'labels', 'A label for each order, and the orders that have none', '{"graph":{"nodes":[{"id":"orders","component":"foreach","params":{"items":"{{input.orders}}"},"concurrency":4,"on_item_error":"collect"},{"id":"make","component":"workflow","params":{"name":"label","input":"{{order}}"}},{"id":"sorted","component":"aggregate","params":{"items":"{{make}}","group_by":"has(item.error) ? ''refused'' : ''labels''","compute":{"results":"list(item)"}}}],"edges":[{"from":"orders","to":"make","on":"FOREACH","as":"order"},{"from":"orders","to":"sorted","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":{"type":"webhook"},"nodes":{"orders":{"component":"foreach","concurrency":4,"on_item_error":"collect","items":"{{input.orders}}"},"make":{"component":"workflow","name":"label","input":"{{order}}"},"sorted":{"component":"aggregate","items":"{{make}}","group_by":"has(item.error) ? ''refused'' : ''labels''","compute":{"results":"list(item)"}}},"context":{},"options":{},"source":{"triplets":["orders >> FOREACH order >> make","orders >> then >> sorted"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: labels\ndescription: A label for each order, and the orders that have none\nversion: \"1\"\ntrigger: { type: webhook }\ntriplets:\n  - orders >> FOREACH order >> make\n  - orders >> then >> sorted\nconfig:\n  orders:\n    component: foreach\n    items: \"{{input.orders}}\"\n    concurrency: 4\n    on_item_error: collect\n  make:\n    component: workflow\n    name: label\n    input: \"{{order}}\"\n  sorted:\n    component: aggregate\n    items: \"{{make}}\"\n    group_by: \"has(item.error) ? ''refused'' : ''labels''\"\n    compute: { results: list(item) }\n","of":"79fe657bd37fe9a19547f45f0f541be81ce1833aed2cc372b82ad0793227d3e2"}}', 1794844559, 1794844559, 'default
workflow
labels', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (7, '01a1e512-8701-755a-a1c9-57a544384b43', 'workflow', 'default', 'check address', 'Gives a tidy address, or fails and says why', '{"graph":{"nodes":[{"id":"tidy","component":"set","params":{"values":{"city":"{{input.city | trim}}","postcode":"{{input.postcode | trim | upper}}"}}},{"id":"is valid","component":"if","params":{"condition":"size(tidy.postcode) == 5 && tidy.city != \"\""}},{"id":"address","component":"merge","params":{"values":["{{tidy}}",{"country":"FR"}]}},{"id":"refuse","component":"fail","params":{"message":"the postcode {{tidy.postcode}} has not five characters"}}],"edges":[{"from":"tidy","to":"is valid","on":"ON_SUCCESS"},{"from":"is valid","to":"address","on":"ON_TRUE"},{"from":"is valid","to":"refuse","on":"ON_FALSE"}]},"config":{"version":"1","trigger":{"type":"webhook"},"nodes":{"tidy":{"component":"set","values":{"city":"{{input.city | trim}}","postcode":"{{input.postcode | trim | upper}}"}},"is valid":{"component":"if","condition":"size(tidy.postcode) == 5 && tidy.city != \"\""},"address":{"component":"merge","values":["{{tidy}}",{"country":"FR"}]},"refuse":{"component":"fail","message":"the postcode {{tidy.postcode}} has not five characters"}},"context":{},"options":{},"source":{"triplets":["tidy >> then >> is valid","is valid >> if true >> address","is valid >> if false >> refuse"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: check address\ndescription: Gives a tidy address, or fails and says why\nversion: \"1\"\ntrigger: { type: webhook }\ntriplets:\n  - tidy >> then >> is valid\n  - is valid >> if true >> address\n  - is valid >> if false >> refuse\nconfig:\n  tidy:\n    component: set\n    values: { city: \"{{input.city | trim}}\", postcode: \"{{input.postcode | trim | upper}}\" }\n  is valid:\n    component: if\n    condition: size(tidy.postcode) == 5 && tidy.city != \"\"\n  address:\n    component: merge\n    values: [\"{{tidy}}\", { country: FR }]\n  refuse:\n    component: fail\n    message: \"the postcode {{tidy.postcode}} has not five characters\"\n","of":"70558e89fc8e0424ae12cad1737cfdfedd9993b6785d1b503d82da04bffd430f"}}', 1794844559, 1794844559, 'default
workflow
check address', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (8, '01a1e512-8723-766a-bca3-cb64c92ecd10', 'workflow', 'default', 'label', 'An address label', '{"graph":{"nodes":[{"id":"address","component":"workflow","params":{"name":"check address","input":"{{input.address}}"}},{"id":"label","component":"template","params":{"text":"{{input.name}}, {{address.postcode}} {{address.city}}"}}],"edges":[{"from":"address","to":"label","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":{"type":"webhook"},"nodes":{"address":{"component":"workflow","name":"check address","input":"{{input.address}}"},"label":{"component":"template","text":"{{input.name}}, {{address.postcode}} {{address.city}}"}},"context":{},"options":{},"source":{"triplets":["address >> then >> label"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: label\ndescription: An address label\nversion: \"1\"\ntrigger: { type: webhook }\ntriplets:\n  - address >> then >> label\nconfig:\n  address:\n    component: workflow\n    name: check address\n    input: \"{{input.address}}\"\n  label:\n    component: template\n    text: \"{{input.name}}, {{address.postcode}} {{address.city}}\"\n","of":"db777e683111a7aab7850e33152a18af77338ea31bbc532db0a7923a733b6892"}}', 1794844559, 1794844559, 'default
workflow
label', null, null, null, null);
insert into entries (seq, id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id, schedule, next_run_at, listens) values (9, '01a1e513-b5c9-754d-bb44-a5bb53280dfd', 'workflow', 'default', 'parse lines', 'Reads lines of name=number', '{"graph":{"nodes":[{"id":"parsed","component":"code","params":{"input":{"text":"{{input.text}}"},"code":"const lines = input.text.split(\"\\n\").filter((line) => line !== \"\");\nconsole.log(\"lines:\", lines.length, lines);\nreturn Object.fromEntries(lines.map((line) => {\n  const [name, value] = line.split(\"=\");\n  return [name, Number(value)];\n}));\n"}}],"edges":[{"from":"input","to":"parsed","on":"ON_SUCCESS"}]},"config":{"version":"1","trigger":null,"nodes":{"parsed":{"component":"code","input":{"text":"{{input.text}}"},"code":"const lines = input.text.split(\"\\n\").filter((line) => line !== \"\");\nconsole.log(\"lines:\", lines.length, lines);\nreturn Object.fromEntries(lines.map((line) => {\n  const [name, value] = line.split(\"=\");\n  return [name, Number(value)];\n}));\n"}},"context":{},"options":{},"source":{"triplets":["input >> then >> parsed"]}},"cron_expr":null,"embed":true,"yaml":{"text":"name: parse lines\ndescription: Reads lines of name=number\nversion: \"1\"\ntriplets:\n  - input >> then >> parsed\nconfig:\n  parsed:\n    component: code\n    input: { text: \"{{input.text}}\" }\n    code: |\n      const lines = input.text.split(\"\\n\").filter((line) => line !== \"\");\n      console.log(\"lines:\", lines.length, lines);\n      return Object.fromEntries(lines.map((line) => {\n        const [name, value] = line.split(\"=\");\n        return [name, Number(value)];\n      }));\n","of":"9307208b6fd4390380690616f18b00ea31cb2d1d73b7adf832f38308beef2a2a"}}', 1794844636, 1794844636, 'default
workflow
parse lines', null, null, null, null);
commit;
