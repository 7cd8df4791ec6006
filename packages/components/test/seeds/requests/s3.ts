import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const listing =
	'<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>my-bucket</Name><IsTruncated>false</IsTruncated><Contents><Key>reports/a b.csv</Key></Contents></ListBucketResult>';
const place = { bucket: "my-bucket", key: "reports/a b+ü.csv" };

export const s3 = toExchanges(
	{
		id: "s3",
		authRecipe: "s3_keys",
		fields: {
			host: "s3.eu-central-1.amazonaws.com",
			region: "eu-central-1",
			access_key_id: "TESTACCESSKEYID",
			secret_access_key: "test/secret+access-key",
		},
		base: "https://s3.eu-central-1.amazonaws.com/my-bucket",
		headers: {},
		authorization: "sigv4",
	},
	{
		put_object: {
			params: { ...place, text: "day,sum\n1,7", content_type: "text/csv" },
			sends: "PUT /reports/a%20b%2B%C3%BC.csv",
			headers: { "content-type": "text/csv" },
			text: "day,sum\n1,7",
			answerHeaders: { etag: '"6805f2cfc46c0f04559748bb039d69ae"' },
			output: { etag: '"6805f2cfc46c0f04559748bb039d69ae"' },
		},
		get_object: { params: place, sends: "GET /reports/a%20b%2B%C3%BC.csv", answerText: "day,sum\n1,7" },
		get_object_base64: {
			params: place,
			sends: "GET /reports/a%20b%2B%C3%BC.csv",
			answerText: "day,sum\n1,7",
			output: "ZGF5LHN1bQoxLDc=",
		},
		put_file: {
			params: { ...place, file: picture },
			sends: "PUT /reports/a%20b%2B%C3%BC.csv",
			headers: { "content-type": "image/png" },
			bytes: PICTURE,
			answerHeaders: { etag: '"6805f2cfc46c0f04559748bb039d69ae"' },
			output: { etag: '"6805f2cfc46c0f04559748bb039d69ae"' },
		},
		get_file: {
			params: place,
			sends: "GET /reports/a%20b%2B%C3%BC.csv",
			answerHeaders: { "content-type": "text/csv" },
			answerBytes: PICTURE,
			outputFile: { name: "a b+ü.csv", type: "text/csv" },
		},
		delete_object: {
			params: place,
			sends: "DELETE /reports/a%20b%2B%C3%BC.csv",
			status: 204,
			output: { deleted: true },
		},
		list_objects: {
			params: { bucket: "my-bucket", prefix: "reports/", max_keys: 10 },
			sends: "GET ?list-type=2&max-keys=10&prefix=reports%2F",
			answerText: listing,
		},
	},
);
