import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import { airtable } from "./airtable.ts";
import { anthropic } from "./anthropic.ts";
import { genericAuth } from "./auth-generic.ts";
import { serviceAuth } from "./auth-services.ts";
import { signInAuth } from "./auth-sign-in.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { googleCalendar } from "./google-calendar.ts";
import { googleDrive } from "./google-drive.ts";
import { googleSheets } from "./google-sheets.ts";
import { hubspot } from "./hubspot.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { notion } from "./notion.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { resend } from "./resend.ts";
import { s3 } from "./s3.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { telegram } from "./telegram.ts";
import { trello } from "./trello.ts";
import { twilio } from "./twilio.ts";

/** The recipes that are seeded for every tenant. */
export const apiRecipes: readonly ApiRecipe[] = [
	airtable,
	anthropic,
	discord,
	github,
	gitlab,
	googleCalendar,
	googleDrive,
	googleSheets,
	hubspot,
	jira,
	linear,
	notion,
	openai,
	openaiCompatible,
	resend,
	s3,
	slack,
	stripe,
	telegram,
	trello,
	twilio,
];

export const authRecipes: readonly AuthRecipe[] = [...serviceAuth, ...signInAuth, ...genericAuth];
