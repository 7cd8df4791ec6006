import type { AuthRecipe } from "@tripline/contract/recipes";
import { bearer, open, secret } from "./auth-fields.ts";

/** A key in a header of its own. */
const header = (
	id: string,
	title: string,
	{ name, value = "{key}", hosts }: { name: string; value?: string; hosts: string[] },
	fields: AuthRecipe["fields"],
): AuthRecipe => ({ id, title, type: "header", fields, hosts, inject: { headers: { [name]: value } } });

/** Like `bearer`, for services whose host differs by account or installation. */
const bearerAtHost = (id: string, title: string, hostHelp: string, help: string): AuthRecipe => ({
	...bearer(id, title, ["{host}"], help),
	fields: [open("host", hostHelp), secret("token", help)],
});

/** Services that take a key or a token, without a sign-in. */
export const keyAuth: readonly AuthRecipe[] = [
	bearer(
		"asana_token",
		"Asana personal access token",
		["app.asana.com"],
		"From the developer console (Settings > Apps > View developer console > Personal access tokens)",
	),
	header(
		"baserow_token",
		"Baserow database token",
		{ name: "authorization", value: "Token {token}", hosts: ["{host}"] },
		[
			open("host", "api.baserow.io, or the host of your own Baserow"),
			secret("token", "A database token (Settings > Database tokens), with rights for the tables"),
		],
	),
	header(
		"clickup_token",
		"ClickUp API token",
		{ name: "authorization", value: "{token}", hosts: ["api.clickup.com"] },
		[secret("token", "A personal token, which starts with pk_ (Settings > Apps > API Token)")],
	),
	header("elevenlabs_key", "ElevenLabs API key", { name: "xi-api-key", hosts: ["api.elevenlabs.io"] }, [
		secret("key", "From the developers page (API keys)"),
	]),
	bearer(
		"firecrawl_key",
		"Firecrawl API key",
		["api.firecrawl.dev"],
		"From the dashboard's API keys page, starts with fc-",
	),
	header(
		"gemini_key",
		"Gemini API key",
		{ name: "x-goog-api-key", hosts: ["generativelanguage.googleapis.com"] },
		[secret("key", "From Google AI Studio (Get API key)")],
	),
	bearer("groq_key", "Groq API key", ["api.groq.com"], "From the console's API keys page"),
	{
		id: "mailchimp_key",
		title: "Mailchimp API key",
		type: "basic",
		fields: [
			open("data_center", "The end of the key after the hyphen, such as us21"),
			secret("key", "From your profile (Extras > API keys)"),
		],
		hosts: ["{data_center}.api.mailchimp.com"],
		inject: { username: "tripline", password: "{key}" },
	},
	bearerAtHost(
		"mattermost_token",
		"Mattermost token",
		"The host of your Mattermost, such as chat.example.com",
		"A bot's token (Integrations > Bot Accounts), or a personal access token (Profile > Security)",
	),
	bearer("mistral_key", "Mistral API key", ["api.mistral.ai"], "From the console's API keys page"),
	header("pinecone_key", "Pinecone API key", { name: "api-key", hosts: ["{host}"] }, [
		open("host", "The index's host, such as docs-abc123.svc.aped-4627-b74a.pinecone.io, from its page"),
		secret("key", "From the console's API keys page"),
	]),
	header(
		"pipedrive_token",
		"Pipedrive API token",
		{ name: "x-api-token", value: "{token}", hosts: ["{company}.pipedrive.com"] },
		[
			open("company", "The first word of your Pipedrive address: acme for acme.pipedrive.com"),
			secret("token", "Your personal API token (Personal preferences > API)"),
		],
	),
	header("qdrant_key", "Qdrant API key", { name: "api-key", hosts: ["{host}"] }, [
		open("host", "The cluster's host with its port, such as abc.eu-central-1-0.aws.cloud.qdrant.io:6333"),
		secret("key", "From the cluster's API keys, or service.api_key of your own Qdrant"),
	]),
	bearer(
		"sendgrid_key",
		"SendGrid API key",
		["api.sendgrid.com"],
		"From Settings > API Keys, starts with SG.; Mail Send is enough to send e-mail",
	),
	header(
		"shopify_token",
		"Shopify Admin API access token",
		{ name: "x-shopify-access-token", value: "{token}", hosts: ["{shop}.myshopify.com"] },
		[
			open("shop", "The shop's name: acme for acme.myshopify.com"),
			secret("token", "The app's Admin API access token, starts with shpat_"),
		],
	),
	{
		id: "supabase_key",
		title: "Supabase key",
		type: "header",
		fields: [
			open("host", "The project's host, such as abcdefghijklmnop.supabase.co"),
			secret("key", "A secret key (Project Settings > API Keys), which bypasses row level security"),
		],
		hosts: ["{host}"],
		// The gateway accepts a key that is not a JWT in authorization only if it equals apikey; older keys need both.
		inject: { headers: { apikey: "{key}", authorization: "Bearer {key}" } },
	},
	bearer("tavily_key", "Tavily API key", ["api.tavily.com"], "From the dashboard, starts with tvly-"),
	bearerAtHost(
		"upstash_redis",
		"Upstash Redis REST token",
		"The database's host, such as us1-merry-cat-32748.upstash.io: UPSTASH_REDIS_REST_URL without https://",
		"UPSTASH_REDIS_REST_TOKEN, from the database's page",
	),
	bearer(
		"webflow_token",
		"Webflow API token",
		["api.webflow.com"],
		"A site token (Site settings > Apps & integrations > API access) with the scopes CMS and Sites",
	),
	{
		id: "wordpress_password",
		title: "WordPress application password",
		type: "basic",
		fields: [
			open("host", "The site's host, such as blog.example.com"),
			open("username", "Your user name"),
			secret("password", "An application password (Users > Profile > Application Passwords)"),
		],
		hosts: ["{host}"],
		inject: { username: "{username}", password: "{password}" },
	},
];
