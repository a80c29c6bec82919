# SPDX-License-Identifier: Apache-2.0
# An application of one page with OmniAuth, by the settings of /etc/gitlab/gitlab.rb, as GitLab calls it.
require 'omniauth'
require 'omniauth_openid_connect'
require 'rack'
require 'securerandom'
require 'webrick/https'

gitlab_rails = {}
eval(File.read('/etc/gitlab/gitlab.rb'))
settings = gitlab_rails['omniauth_providers'].first[:args]

OmniAuth.config.path_prefix = '/users/auth'
OmniAuth.config.request_validation_phase = nil
OmniAuth.config.logger = Logger.new($stderr)

START = '<form method="post" action="/users/auth/openid_connect"><button name="start">Sign in</button></form>'.freeze

def page(text)
  [200, { 'Content-Type' => 'text/html' }, [text]]
end

application = Rack::Builder.new do
  use Rack::Session::Cookie, secret: SecureRandom.hex(32), secure: true
  use OmniAuth::Builder do
    provider :openid_connect, settings
  end
  run(lambda do |environment|
    signed_in = environment['omniauth.auth']
    return page(START) unless signed_in

    groups = signed_in.extra.raw_info['groups'] || []
    page("nickname #{signed_in.info.nickname}, email #{signed_in.info.email}, groups #{groups.join(' ')}")
  end)
end

Rack::Handler::WEBrick.run(
  application, Host: '127.0.0.3', Port: 443, SSLEnable: true,
  SSLCertificate: OpenSSL::X509::Certificate.new(File.read('/etc/ssl/certs/gitlab.example.com.pem')),
  SSLPrivateKey: OpenSSL::PKey.read(File.read('/etc/ssl/private/gitlab.example.com.key'))
)
