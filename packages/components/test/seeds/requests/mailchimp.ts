import { toExchanges } from "../exchange.ts";

const member = {
	id: "62eeb292278cc15f5817cb78f7790b08",
	email_address: "urist.mcvankab@freddiesjokes.com",
	status: "subscribed",
	merge_fields: { FNAME: "Urist" },
};
const EMAIL = "urist.mcvankab%40freddiesjokes.com";
const email = member.email_address;

export const mailchimp = toExchanges(
	{
		id: "mailchimp",
		authRecipe: "mailchimp_key",
		fields: { data_center: "us21", key: "test-mailchimp-key-us21" },
		base: "https://us21.api.mailchimp.com/3.0",
		headers: { authorization: "Basic dHJpcGxpbmU6dGVzdC1tYWlsY2hpbXAta2V5LXVzMjE=" },
	},
	{
		list_audiences: {
			sends: "GET /lists?count=100&offset=0",
			answer: { lists: [{ id: "57afe96172", name: "Freddie's Jokes" }], total_items: 1 },
		},
		list_members: {
			params: { list_id: "57afe96172", status: "subscribed", count: 10, offset: 20 },
			sends: "GET /lists/57afe96172/members?status=subscribed&count=10&offset=20",
			answer: { members: [member], list_id: "57afe96172", total_items: 21 },
		},
		get_member: {
			params: { list_id: "57afe96172", email },
			sends: `GET /lists/57afe96172/members/${EMAIL}`,
			answer: member,
		},
		upsert_member: {
			params: { list_id: "57afe96172", email, merge_fields: { FNAME: "Urist" } },
			sends: `PUT /lists/57afe96172/members/${EMAIL}`,
			json: { email_address: email, status_if_new: "subscribed", merge_fields: { FNAME: "Urist" } },
			answer: member,
		},
		set_tags: {
			params: { list_id: "57afe96172", email, tags: [{ name: "buyer", status: "active" }] },
			sends: `POST /lists/57afe96172/members/${EMAIL}/tags`,
			json: { tags: [{ name: "buyer", status: "active" }] },
			status: 204,
			output: { changed: true },
		},
		archive_member: {
			params: { list_id: "57afe96172", email },
			sends: `DELETE /lists/57afe96172/members/${EMAIL}`,
			status: 204,
			output: { archived: true },
		},
		list_campaigns: {
			params: { status: "sent" },
			sends: "GET /campaigns?status=sent&count=100&offset=0",
			answer: {
				campaigns: [{ id: "42694e9e57", status: "sent", settings: { title: "News" } }],
				total_items: 1,
			},
		},
		create_campaign: {
			params: {
				list_id: "57afe96172",
				subject: "Jokes",
				from_name: "Freddie",
				reply_to: "freddie@example.com",
				segment_id: 12,
			},
			sends: "POST /campaigns",
			json: {
				type: "regular",
				recipients: { list_id: "57afe96172", segment_opts: { saved_segment_id: 12 } },
				settings: { subject_line: "Jokes", from_name: "Freddie", reply_to: "freddie@example.com" },
			},
			answer: { id: "42694e9e57", status: "save", archive_url: "http://eepurl.com/xxxx" },
		},
		set_campaign_content: {
			params: { campaign_id: "42694e9e57", html: "<p>The HTML to use.</p>" },
			sends: "PUT /campaigns/42694e9e57/content",
			json: { html: "<p>The HTML to use.</p>" },
			answer: { html: "<p>The HTML to use.</p>", plain_text: "The HTML to use." },
		},
		send_campaign: {
			params: { campaign_id: "42694e9e57" },
			sends: "POST /campaigns/42694e9e57/actions/send",
			status: 204,
			output: { sent: true },
		},
	},
);
