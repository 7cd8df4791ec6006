import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import { airtable } from "./airtable.ts";
import { anthropic } from "./anthropic.ts";
import { genericAuth } from "./auth-generic.ts";
import { serviceAuth } from "./auth-services.ts";
import { signInAuth } from "./auth-sign-in.ts";
import { discord } from "./discord.ts";
import { excel } from "./excel.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { gmail } from "./gmail.ts";
import { googleCalendar } from "./google-calendar.ts";
import { googleContacts } from "./google-contacts.ts";
import { googleDocs } from "./google-docs.ts";
import { googleDrive } from "./google-drive.ts";
import { googleSheets } from "./google-sheets.ts";
import { googleTasks } from "./google-tasks.ts";
import { hubspot } from "./hubspot.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { microsoftTeams } from "./microsoft-teams.ts";
import { notion } from "./notion.ts";
import { onedrive } from "./onedrive.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { outlookCalendar } from "./outlook-calendar.ts";
import { outlookMail } from "./outlook-mail.ts";
import { resend } from "./resend.ts";
import { s3 } from "./s3.ts";
import { salesforce } from "./salesforce.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { telegram } from "./telegram.ts";
import { trello } from "./trello.ts";
import { twilio } from "./twilio.ts";
import { youtube } from "./youtube.ts";

/** The recipes that are seeded for every tenant. */
export const apiRecipes: readonly ApiRecipe[] = [
	airtable,
	anthropic,
	discord,
	excel,
	github,
	gitlab,
	gmail,
	googleCalendar,
	googleContacts,
	googleDocs,
	googleDrive,
	googleSheets,
	googleTasks,
	hubspot,
	jira,
	linear,
	microsoftTeams,
	notion,
	onedrive,
	openai,
	openaiCompatible,
	outlookCalendar,
	outlookMail,
	resend,
	s3,
	salesforce,
	slack,
	stripe,
	telegram,
	trello,
	twilio,
	youtube,
];

export const authRecipes: readonly AuthRecipe[] = [...serviceAuth, ...signInAuth, ...genericAuth];
