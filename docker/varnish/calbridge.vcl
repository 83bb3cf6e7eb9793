# Varnish in front of calbridge, which purges what changes. See docker/push.md.
# Needs Debian's packages varnish and varnish-modules (for xkey).
vcl 4.1;

import xkey;

backend calbridge {
    .host = "127.0.0.1";
    .port = "8080";
}

# The addresses of calbridge's instances.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE" || req.method == "BAN") {
        if (client.ip !~ purgers) {
            return (synth(403, "Forbidden"));
        }
        if (req.method == "PURGE" && req.http.xkey) {
            # The copy stays for a revalidation, which is cheap if the response turns out the same.
            return (synth(200, "Purged " + xkey.softpurge(req.http.xkey)));
        }
        if (req.method == "BAN" && req.http.xkey-pattern) {
            ban("obj.http.xkey ~ " + req.http.xkey-pattern);
            return (synth(200, "Banned"));
        }
        return (synth(400, "Names are missing"));
    }
    # What may be for one user, or is answered differently, goes to calbridge each time.
    if (req.http.Authorization || req.http.X-WP-Nonce || req.http.Origin || req.http.X-HTTP-Method-Override
        || req.http.Cookie ~ "(wordpress_|wp-postpass_|calbridge_)") {
        return (pass);
    }
    # With --mode auto, WordPress's plugins may read any other cookie, too. Activate this:
    # if (regsuball(req.http.Cookie, "(^|;) *(_ga|_gid|_gat|_gcl_|_fbp|_pk_|_hj|__utm|cookieyes|cmplz_|CookieConsent|OptanonConsent|borlabs-cookie)[^;]*", "") ~ "[^; ]") {
    #     return (pass);
    # }
    # No other cookie changes a response.
    if (req.method == "GET" || req.method == "HEAD") {
        unset req.http.Cookie;
    }
}

sub vcl_hash {
    # Links in responses have the scheme of the request.
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
    # With grace, a purged copy would be served once more.
    set beresp.grace = 0s;
    # Copies that have expired or were purged are revalidated by ETag.
    set beresp.keep = 1h;
}

sub vcl_deliver {
    # The tags and the age for shared caches are for this one only.
    unset resp.http.xkey;
    set resp.http.Cache-Control = regsub(resp.http.Cache-Control, ", s-maxage=[0-9]+", "");
}
