import type { Exchange } from "./exchange.ts";
import { airtable } from "./requests/airtable.ts";
import { discord } from "./requests/discord.ts";
import { github } from "./requests/github.ts";
import { gitlab } from "./requests/gitlab.ts";
import { gmail } from "./requests/gmail.ts";
import { google } from "./requests/google.ts";
import { googleAccount } from "./requests/google-account.ts";
import { hubspot } from "./requests/hubspot.ts";
import { jira } from "./requests/jira.ts";
import { linear } from "./requests/linear.ts";
import { microsoft } from "./requests/microsoft.ts";
import { languageModels } from "./requests/models.ts";
import { notion } from "./requests/notion.ts";
import { resend } from "./requests/resend.ts";
import { s3 } from "./requests/s3.ts";
import { salesforce } from "./requests/salesforce.ts";
import { slack } from "./requests/slack.ts";
import { stripe } from "./requests/stripe.ts";
import { telegram } from "./requests/telegram.ts";
import { trello } from "./requests/trello.ts";
import { twilio } from "./requests/twilio.ts";
import { youtube } from "./requests/youtube.ts";

/** One for every operation of every bundled recipe. */
export const exchanges: readonly Exchange[] = [
	...airtable,
	...discord,
	...github,
	...gitlab,
	...gmail,
	...google,
	...googleAccount,
	...hubspot,
	...jira,
	...languageModels,
	...linear,
	...microsoft,
	...notion,
	...resend,
	...s3,
	...salesforce,
	...slack,
	...stripe,
	...telegram,
	...trello,
	...twilio,
	...youtube,
];
