import type { Exchange } from "./exchange.ts";
import { airtable } from "./requests/airtable.ts";
import { asana } from "./requests/asana.ts";
import { baserow } from "./requests/baserow.ts";
import { clickup } from "./requests/clickup.ts";
import { discord } from "./requests/discord.ts";
import { github } from "./requests/github.ts";
import { gitlab } from "./requests/gitlab.ts";
import { gmail } from "./requests/gmail.ts";
import { google } from "./requests/google.ts";
import { googleAccount } from "./requests/google-account.ts";
import { hubspot } from "./requests/hubspot.ts";
import { jira } from "./requests/jira.ts";
import { linear } from "./requests/linear.ts";
import { mailchimp } from "./requests/mailchimp.ts";
import { mattermost } from "./requests/mattermost.ts";
import { microsoft } from "./requests/microsoft.ts";
import { languageModels } from "./requests/models.ts";
import { moreModels } from "./requests/more-models.ts";
import { notion } from "./requests/notion.ts";
import { pipedrive } from "./requests/pipedrive.ts";
import { resend } from "./requests/resend.ts";
import { s3 } from "./requests/s3.ts";
import { salesforce } from "./requests/salesforce.ts";
import { sendgrid } from "./requests/sendgrid.ts";
import { shopify } from "./requests/shopify.ts";
import { slack } from "./requests/slack.ts";
import { stripe } from "./requests/stripe.ts";
import { supabase } from "./requests/supabase.ts";
import { telegram } from "./requests/telegram.ts";
import { trello } from "./requests/trello.ts";
import { twilio } from "./requests/twilio.ts";
import { upstashRedis } from "./requests/upstash.ts";
import { vectorDatabases } from "./requests/vectors.ts";
import { webSearch } from "./requests/web-search.ts";
import { webflow } from "./requests/webflow.ts";
import { wordpress } from "./requests/wordpress.ts";
import { youtube } from "./requests/youtube.ts";

/** One for every operation of every bundled recipe. */
export const exchanges: readonly Exchange[] = [
	...airtable,
	...asana,
	...baserow,
	...clickup,
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
	...mailchimp,
	...mattermost,
	...microsoft,
	...moreModels,
	...notion,
	...pipedrive,
	...resend,
	...s3,
	...salesforce,
	...sendgrid,
	...shopify,
	...slack,
	...stripe,
	...supabase,
	...telegram,
	...trello,
	...twilio,
	...upstashRedis,
	...vectorDatabases,
	...webflow,
	...webSearch,
	...wordpress,
	...youtube,
];
