import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import { airtable } from "./airtable.ts";
import { anthropic } from "./anthropic.ts";
import { asana } from "./asana.ts";
import { databaseAuth } from "./auth-databases.ts";
import { genericAuth } from "./auth-generic.ts";
import { keyAuth } from "./auth-keys.ts";
import { mailAuth } from "./auth-mail.ts";
import { serviceAuth } from "./auth-services.ts";
import { signInAuth } from "./auth-sign-in.ts";
import { baserow } from "./baserow.ts";
import { clickup } from "./clickup.ts";
import { discord } from "./discord.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { excel } from "./excel.ts";
import { firecrawl } from "./firecrawl.ts";
import { gemini } from "./gemini.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { gmail } from "./gmail.ts";
import { googleCalendar } from "./google-calendar.ts";
import { googleContacts } from "./google-contacts.ts";
import { googleDocs } from "./google-docs.ts";
import { googleDrive } from "./google-drive.ts";
import { googleSheets } from "./google-sheets.ts";
import { googleTasks } from "./google-tasks.ts";
import { groq } from "./groq.ts";
import { hubspot } from "./hubspot.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { mailchimp } from "./mailchimp.ts";
import { mattermost } from "./mattermost.ts";
import { microsoftTeams } from "./microsoft-teams.ts";
import { mistral } from "./mistral.ts";
import { notion } from "./notion.ts";
import { onedrive } from "./onedrive.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { outlookCalendar } from "./outlook-calendar.ts";
import { outlookMail } from "./outlook-mail.ts";
import { pinecone } from "./pinecone.ts";
import { pipedrive } from "./pipedrive.ts";
import { qdrant } from "./qdrant.ts";
import { resend } from "./resend.ts";
import { s3 } from "./s3.ts";
import { salesforce } from "./salesforce.ts";
import { sendgrid } from "./sendgrid.ts";
import { shopify } from "./shopify.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { supabase } from "./supabase.ts";
import { tavily } from "./tavily.ts";
import { telegram } from "./telegram.ts";
import { trello } from "./trello.ts";
import { twilio } from "./twilio.ts";
import { upstashRedis } from "./upstash.ts";
import { webflow } from "./webflow.ts";
import { wordpress } from "./wordpress.ts";
import { youtube } from "./youtube.ts";

/** The recipes that are seeded for every tenant. */
export const apiRecipes: readonly ApiRecipe[] = [
	airtable,
	anthropic,
	asana,
	baserow,
	clickup,
	discord,
	elevenlabs,
	excel,
	firecrawl,
	gemini,
	github,
	gitlab,
	gmail,
	googleCalendar,
	googleContacts,
	googleDocs,
	googleDrive,
	googleSheets,
	googleTasks,
	groq,
	hubspot,
	jira,
	linear,
	mailchimp,
	mattermost,
	microsoftTeams,
	mistral,
	notion,
	onedrive,
	openai,
	openaiCompatible,
	outlookCalendar,
	outlookMail,
	pinecone,
	pipedrive,
	qdrant,
	resend,
	s3,
	salesforce,
	sendgrid,
	shopify,
	slack,
	stripe,
	supabase,
	tavily,
	telegram,
	trello,
	twilio,
	upstashRedis,
	webflow,
	wordpress,
	youtube,
];

export const authRecipes: readonly AuthRecipe[] = [
	...serviceAuth,
	...keyAuth,
	...signInAuth,
	...genericAuth,
	...databaseAuth,
	...mailAuth,
];
