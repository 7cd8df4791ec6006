import { toExchanges } from "../exchange.ts";

const message = {
	sid: "SM00000000000000000000000000000001",
	status: "queued",
	to: "+15558675310",
	from: "+15557122661",
	body: "Hi there & welcome",
	error_code: null,
	error_message: null,
};

export const twilio = toExchanges(
	{
		id: "twilio",
		authRecipe: "twilio_account",
		fields: { account_sid: "AC00000000000000000000000000000001", auth_token: "test-twilio-token" },
		base: "https://api.twilio.com/2010-04-01/Accounts/AC00000000000000000000000000000001",
		headers: {
			authorization: "Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTp0ZXN0LXR3aWxpby10b2tlbg==",
		},
	},
	{
		send_message: {
			params: {
				to: "+15558675310",
				from: "+15557122661",
				body: "Hi there & welcome",
				media_url: ["https://example.com/a.png", "https://example.com/b.png"],
			},
			sends: "POST /Messages.json",
			form: "To=%2B15558675310&From=%2B15557122661&Body=Hi+there+%26+welcome&MediaUrl=https%3A%2F%2Fexample.com%2Fa.png&MediaUrl=https%3A%2F%2Fexample.com%2Fb.png",
			status: 201,
			answer: message,
		},
		send_template: {
			params: {
				to: "whatsapp:+15558675310",
				from: "whatsapp:+14155238886",
				content_sid: "HXb5b62575e6e4ff6129ad7c8efe1f983e",
				variables: { 1: "12/1", 2: "3pm" },
			},
			sends: "POST /Messages.json",
			form: "To=whatsapp%3A%2B15558675310&From=whatsapp%3A%2B14155238886&ContentSid=HXb5b62575e6e4ff6129ad7c8efe1f983e&ContentVariables=%7B%221%22%3A%2212%2F1%22%2C%222%22%3A%223pm%22%7D",
			status: 201,
			answer: message,
		},
		get_message: {
			params: { message_sid: "SM00000000000000000000000000000001" },
			sends: "GET /Messages/SM00000000000000000000000000000001.json",
			answer: { ...message, status: "delivered" },
		},
		list_messages: {
			params: { to: "+15558675310", date_sent: "2026-01-31" },
			sends: "GET /Messages.json?To=%2B15558675310&DateSent=2026-01-31&PageSize=50",
			answer: { messages: [message], next_page_uri: null, page: 0, page_size: 50 },
		},
		make_call: {
			params: { to: "+15558675310", from: "+15557122661", twiml: "<Response><Say>Hi</Say></Response>" },
			sends: "POST /Calls.json",
			form: "To=%2B15558675310&From=%2B15557122661&Twiml=%3CResponse%3E%3CSay%3EHi%3C%2FSay%3E%3C%2FResponse%3E",
			status: 201,
			answer: { sid: "CA00000000000000000000000000000001", status: "queued" },
		},
		get_call: {
			params: { call_sid: "CA00000000000000000000000000000001" },
			sends: "GET /Calls/CA00000000000000000000000000000001.json",
			answer: { sid: "CA00000000000000000000000000000001", status: "completed", duration: "15" },
		},
		list_numbers: {
			params: { limit: 20 },
			sends: "GET /IncomingPhoneNumbers.json?PageSize=20",
			answer: {
				incoming_phone_numbers: [
					{ sid: "PN00000000000000000000000000000001", phone_number: "+14155552671", friendly_name: "Main" },
				],
				next_page_uri: null,
				page: 0,
			},
		},
	},
);
