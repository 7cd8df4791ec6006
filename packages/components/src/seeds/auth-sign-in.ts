import type { AuthRecipe } from "@tripline/contract/recipes";
import { open, secret } from "./auth-fields.ts";

/** The fields of an app that is registered with the service. `where` says on which page. */
function client(id: string, where: string, field: string) {
	return [
		open(
			"client_id",
			`Register an app ${where}, with the redirect URL {BASE_URL}/oauth/callback/${id}, and copy its ${field}`,
		),
		secret("client_secret", "The app's client secret, from the same page"),
	];
}

const scope = (help: string) => open("scope", help);

/** Services that a person signs in to. */
export const signInAuth: readonly AuthRecipe[] = [
	{
		id: "google_oauth",
		title: "Google account",
		type: "oauth2_authorization_code",
		fields: [
			...client("google_oauth", "at console.cloud.google.com (APIs & Services > Credentials)", "client ID"),
			scope(
				"Scopes separated by spaces, such as https://www.googleapis.com/auth/spreadsheets; enable their APIs in the project",
			),
		],
		hosts: [
			"www.googleapis.com",
			"sheets.googleapis.com",
			"docs.googleapis.com",
			"slides.googleapis.com",
			"forms.googleapis.com",
			"gmail.googleapis.com",
			"people.googleapis.com",
			"tasks.googleapis.com",
		],
		inject: {
			authorize_url: "https://accounts.google.com/o/oauth2/v2/auth",
			token_url: "https://oauth2.googleapis.com/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "openid email {scope}",
			// Without both there is a refresh token only for the first time that an account signs in.
			authorize_params: { access_type: "offline", prompt: "consent" },
			issuer: "https://accounts.google.com",
			account: "id_token.email",
		},
	},
	{
		id: "microsoft_oauth",
		title: "Microsoft account",
		type: "oauth2_authorization_code",
		fields: [
			...client(
				"microsoft_oauth",
				"at entra.microsoft.com (App registrations, platform Web)",
				"application ID",
			),
			open("tenant", "The directory's id or domain; common for every work, school and personal account"),
			scope("Microsoft Graph permissions separated by spaces, such as Mail.Send Files.ReadWrite"),
		],
		hosts: ["graph.microsoft.com"],
		inject: {
			authorize_url: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
			token_url: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "openid profile offline_access {scope}",
			account: "id_token.preferred_username",
		},
	},
	{
		id: "salesforce_oauth",
		title: "Salesforce account",
		type: "oauth2_authorization_code",
		fields: [
			...client("salesforce_oauth", "in Setup (External Client Apps, with OAuth and PKCE)", "consumer key"),
			open("login_host", "login.salesforce.com, test.salesforce.com for a sandbox, or your My Domain host"),
			{ ...open("instance", "Your organization's host. Signing in sets it"), optional: true },
		],
		hosts: ["*.salesforce.com"],
		inject: {
			authorize_url: "https://{login_host}/services/oauth2/authorize",
			token_url: "https://{login_host}/services/oauth2/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "api refresh_token",
			account: "instance_url",
			fields: { instance: "instance_url" },
		},
	},
	{
		id: "hubspot_oauth",
		title: "HubSpot account",
		type: "oauth2_authorization_code",
		fields: [
			...client("hubspot_oauth", "at developers.hubspot.com (page Auth of the app)", "client ID"),
			scope("The scopes that the app requires, separated by spaces, such as crm.objects.contacts.read"),
		],
		hosts: ["api.hubapi.com"],
		inject: {
			authorize_url: "https://app.hubspot.com/oauth/authorize",
			token_url: "https://api.hubapi.com/oauth/2026-03/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "{scope}",
			account: "hub_id",
		},
	},
	{
		id: "slack_oauth",
		title: "Slack workspace",
		type: "oauth2_authorization_code",
		fields: [
			...client("slack_oauth", "at api.slack.com/apps (redirect URL under OAuth & Permissions)", "client ID"),
			scope("Bot scopes separated by commas, such as chat:write,channels:read"),
		],
		hosts: ["slack.com", "files.slack.com"],
		inject: {
			authorize_url: "https://slack.com/oauth/v2/authorize",
			token_url: "https://slack.com/api/oauth.v2.access",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "basic",
			scope: "{scope}",
			account: "team.name",
		},
	},
	{
		id: "github_oauth",
		title: "GitHub account",
		type: "oauth2_authorization_code",
		fields: [
			...client("github_oauth", "at github.com (Settings > Developer settings > OAuth Apps)", "client ID"),
			{ ...scope("Scopes separated by spaces, such as repo; none for a GitHub App"), optional: true },
		],
		hosts: ["api.github.com", "uploads.github.com"],
		inject: {
			authorize_url: "https://github.com/login/oauth/authorize",
			token_url: "https://github.com/login/oauth/access_token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "{scope}",
		},
	},
	{
		id: "notion_oauth",
		title: "Notion workspace",
		type: "oauth2_authorization_code",
		fields: client("notion_oauth", "at notion.so/my-integrations (a public integration)", "OAuth client ID"),
		hosts: ["api.notion.com"],
		inject: {
			authorize_url: "https://api.notion.com/v1/oauth/authorize",
			token_url: "https://api.notion.com/v1/oauth/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "basic",
			authorize_params: { owner: "user" },
			account: "workspace_name",
		},
	},
	{
		id: "linear_oauth",
		title: "Linear account",
		type: "oauth2_authorization_code",
		fields: client("linear_oauth", "at linear.app (Settings > API > OAuth applications)", "client ID"),
		hosts: ["api.linear.app"],
		inject: {
			authorize_url: "https://linear.app/oauth/authorize",
			token_url: "https://api.linear.app/oauth/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			scope: "read,write",
			authorize_params: { prompt: "consent" },
		},
	},
	{
		id: "dropbox_oauth",
		title: "Dropbox account",
		type: "oauth2_authorization_code",
		fields: client("dropbox_oauth", "at dropbox.com/developers/apps, with its permissions,", "app key"),
		hosts: ["api.dropboxapi.com", "content.dropboxapi.com"],
		inject: {
			authorize_url: "https://www.dropbox.com/oauth2/authorize",
			token_url: "https://api.dropboxapi.com/oauth2/token",
			client_id: "{client_id}",
			client_secret: "{client_secret}",
			client_auth: "body",
			authorize_params: { token_access_type: "offline" },
			account: "account_id",
		},
	},
];
